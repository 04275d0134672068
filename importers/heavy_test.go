package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// hugeSize is the number of bytes, and manyTexts the number of texts, of inputs that are meant to
// take much memory. With the race detector, tests take many times as long.
var hugeSize, manyTexts = func() (int, int) {
	switch {
	case testenv.Race:
		return 4 << 20, 20_000
	case testenv.All:
		return 64 << 20, 200_000
	}
	return 32 << 20, 200_000
}()

// hundredMegabytes is the name of the input that takes the most memory.
const hundredMegabytes = "a hundred megabytes of shared texts"

// shared holds the workbook of manyShared, which two tests read.
var shared struct {
	sync.Once
	book []byte
}

// manyShared returns a workbook with a hundred megabytes of shared texts.
func manyShared(t *testing.T) []byte {
	t.Helper()
	shared.Do(func() {
		texts := make([]string, manyTexts)
		for i := range texts {
			texts[i] = strings.Repeat(fmt.Sprint(i), 60)
		}
		rows := fmt.Sprintf(`<row r="2"><c r="A2" t="s"><v>%d</v></c></row>`, manyTexts-1)
		shared.book = uploads.NewWorkbook(uploads.Header+rows, texts...).Zip(t)
	})
	return shared.book
}

// heavy returns inputs that are meant to take much memory or time, by name. The number at the start of
// a name is the number of the input in faults.md.
func heavy(t *testing.T) map[string]func() []byte {
	t.Helper()
	huge, many := hugeSize, manyTexts
	var wide, tall strings.Builder
	for i := 2; i < 5002; i++ {
		fmt.Fprintf(&wide, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i, i)
	}
	for i := 2; i < testenv.Size(many/2, many); i++ {
		fmt.Fprintf(&tall, `<row r="%d"><c r="A%d" t="s"><v>%d</v></c></row>`, i, i, i%1000)
	}
	blanks := strings.Repeat(" ", huge)
	entities := "<!DOCTYPE a [<!ENTITY l0 \"lol\">"
	for i := range 9 {
		entities += fmt.Sprintf("<!ENTITY l%d \"%s\">", i+1, strings.Repeat(fmt.Sprintf("&l%d;", i), 10))
	}
	return map[string]func() []byte{
		"10 bomb of a sheet": func() []byte { return uploads.NewWorkbook(uploads.TwoRows + blanks).Zip(t) },
		"10 bomb of texts":   func() []byte { return uploads.NewWorkbook(uploads.TwoRows, "<x/>"+blanks).Zip(t) },
		"10 bomb in gzip":    func() []byte { return uploads.Gzip(t, []byte(blanks)) },
		"10 bomb in zip":     func() []byte { return uploads.ZipFile(t, "a.csv", []byte(blanks)) },
		"14 laughs": func() []byte {
			return uploads.NewWorkbook("").With(uploads.SheetPart, entities+"]><worksheet>&l9;</worksheet>").Zip(t)
		},
		"16 XFD in 5,000 rows": func() []byte { return uploads.NewWorkbook(uploads.Header + wide.String()).Zip(t) },
		"17 XFD1048576": func() []byte {
			return uploads.NewWorkbook(uploads.Header + `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`).Zip(t)
		},
		"19 texts that are missing": func() []byte { return uploads.NewWorkbook(uploads.Header+tall.String(), "a").Zip(t) },
		"33 million columns":        func() []byte { return []byte(strings.Repeat("h,", 1<<20) + "\n") },
		"37 lines without an end":   func() []byte { return []byte("A,B\n" + strings.Repeat("x", huge)) },
		"40 a quote to the end":     func() []byte { return []byte("A,B\n1,2\n3,\"" + strings.Repeat("x,y\n", huge/4)) },
		"43 cells of megabytes": func() []byte {
			return []byte("A,B\n" + strings.Repeat(strings.Repeat("x", huge/8)+",\""+strings.Repeat("y", huge/8)+"\"\n", 4))
		},
		"a tag of megabytes": func() []byte {
			return uploads.NewWorkbook(uploads.Header + `<row r="2"` + strings.Repeat(` a="b"`, huge/16) + `>`).Stored(t)
		},
		hundredMegabytes:             func() []byte { return manyShared(t) },
		"a list that opens for ever": func() []byte { return []byte(strings.Repeat("[", huge)) },
		"a row of JSON without end":  func() []byte { return []byte(`{"a":"` + strings.Repeat("x", huge)) },
	}
}

// most is the maximum memory of a child that reads an input of 64 MB, in KiB. Tests with the race detector
// do not check it, because a child then takes several times as much memory.
const most = 200 << 10

// TestHeavyInputsCostLittle reads each input in a process of its own, with bounded memory and time.
func TestHeavyInputsCostLittle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	for name, data := range heavy(t) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(path, data(), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bound := most
			if hugeSize < 64<<20 && name != hundredMegabytes {
				bound -= bound / 3 // half the input; on a busy machine, garbage is collected later
			}
			if used := heavyChild(t, path); used > bound && !testenv.Race {
				t.Errorf("%d KiB of memory, want at most %d", used, bound)
			}
		})
	}
}

const (
	heavyFile, heavyScratch = "ROLLCALL_HEAVY_FILE", "ROLLCALL_HEAVY_SCRATCH"
	heavyFour               = "ROLLCALL_HEAVY_FOUR" // not empty: the file is read four times side by side
)

// TestHeavyInput_FourSideBySide_MemoryIsBounded reads the file whose texts take the most memory
// four times in parallel, as a process with four readers does.
func TestHeavyInput_FourSideBySide_MemoryIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, manyShared(t), 0o600); err != nil {
		t.Fatal(err)
	}
	used := heavyChild(t, path, heavyFour+"=1")
	if used > 3*most && !testenv.Race {
		t.Errorf("%d KiB of memory, want at most %d", used, 3*most)
	}
}

// heavyChild reads a file in a process of its own and returns its greatest memory in KiB.
func heavyChild(t *testing.T, path string, env ...string) (used int) {
	t.Helper()
	scratch := t.TempDir() // the files of another child are not in it
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestReadHeavyInput$")
	cmd.Env = append(append(os.Environ(), heavyFile+"="+path, heavyScratch+"="+scratch), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	if _, after, ok := strings.Cut(string(out), "VmHWM:"); ok {
		_, err = fmt.Sscan(after, &used)
	}
	if err != nil || used == 0 {
		t.Errorf("%d KiB of memory, %v", used, err)
	}
	t.Logf("%d KiB, %v", used, cmd.ProcessState.UserTime())
	uploads.RequireEmpty(t, scratch)
	return used
}

// TestReadHeavyInput is the child of heavyChild.
func TestReadHeavyInput(t *testing.T) {
	path := os.Getenv(heavyFile)
	if path == "" {
		return // a test run without heavyChild: there is no file to read
	}
	var readers sync.WaitGroup
	for range 4 {
		if readers.Go(func() { readHeavy(t, path) }); os.Getenv(heavyFour) == "" {
			break
		}
	}
	if readers.Wait(); t.Failed() {
		return
	}
	status, err := os.ReadFile("/proc/self/status") // contains the greatest memory of the process
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%s", status)
}

// readHeavy reads a file to its end, or until it is refused.
func readHeavy(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Error(err)
		return
	}
	limits := tabular.Limits{Dir: os.Getenv(heavyScratch)}
	_, err = Inspect(f, st.Size(), goodKind, Options{Limits: limits})
	var p *tabular.Problem
	if err != nil && !errors.As(err, &p) {
		t.Error(err)
		return
	}
	s, err := source.Open(f, st.Size(), source.Options{Limits: limits})
	for err == nil {
		_, err = s.Next()
	}
	if err != io.EOF && !errors.As(err, &p) {
		t.Error(err)
		return
	}
	if s != nil {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
