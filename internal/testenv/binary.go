package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
)

// modulePath is the path of the module whose programs [Binary] builds.
const modulePath = "github.com/rollcall-dev/rollcall"

// binaries holds the paths of the programs built by this process.
var binaries = struct {
	sync.Mutex
	built map[string]bool
}{built: map[string]bool{}}

// Binary builds a main package of the project and returns the path of the program. The argument `pkg` is
// relative to the root of the project, such as "./cmd/api". The program is linked with failpoint.LinkFlag. It
// is built without the race detector, which makes programs several times slower. All test processes share the
// program, which is rebuilt only after a change.
//
// The sources of the program count as inputs of the test: after a change of a source, the go command
// runs the test again. This does not hold for tests of a nested module, which must be run with -count=1.
func Binary(t T, pkg string) string { t.Helper(); return program(t, pkg, false) }

// RaceBinary works like Binary, but builds the program with the race detector if the test itself has it.
// It is for tests of concurrent parts of a process.
func RaceBinary(t T, pkg string) string { t.Helper(); return program(t, pkg, Race) }

func program(t T, pkg string, race bool) string {
	t.Helper()
	binaries.Lock()
	defer binaries.Unlock()
	folder := map[bool]string{false: "plain", true: "race"}[race]
	path := filepath.Join(buildDir(t, folder), filepath.Base(pkg))
	if binaries.built[path] {
		return path
	}
	root := projectRoot(t)
	build(t, root, path, pkg, race)
	if err := readSources(root, pkg); err != nil {
		t.Fatalf("testenv: sources of %s: %v", pkg, err)
	}
	binaries.built[path] = true
	return path
}

// buildDir makes a folder for files that test processes share. git and the go command ignore the
// folder.
func buildDir(t T, name string) string {
	t.Helper()
	dir := filepath.Join(projectRoot(t), ".build", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("testenv: %v", err)
	}
	return dir
}

// build builds the program. It locks the folder, because other test processes may build the same
// program.
func build(t T, root, path, pkg string, race bool) {
	t.Helper()
	unlock, err := LockFolder(filepath.Dir(path))
	if err != nil {
		t.Fatalf("testenv: lock the programs: %v", err)
	}
	defer unlock()
	args := []string{"build", "-tags=nomsgpack", "-buildvcs=false", "-ldflags", "-s -w " + failpoint.LinkFlag, "-o", path}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = root
	if race {
		cmd.Args = slices.Insert(cmd.Args, 2, "-race")
	} else if Race {
		cmd.Env = append(os.Environ(), "GOFLAGS=") // with flags for the detector, go would compile the packages again
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testenv: build %s: %v\n%s", pkg, err, out)
	}
}

// LockFolder locks a folder until the caller calls `unlock`. It waits while another process has the
// lock. It uses system calls, since files that a test opens through package os count as inputs of the
// test.
func LockFolder(dir string) (unlock func(), err error) {
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Close(fd) }, nil
}

// sourceList is a template for the command go list. It prints the folder and the files of each package
// of the project that a program contains.
const sourceList = `{{if not .Standard}}{{if .Module.Main}}{{.Dir}}
{{range .GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$.Dir}}/{{.}}
{{end}}{{end}}{{end}}`

// readSources opens each source file of a program and stats each folder, so that the go command
// records them as inputs of the running test.
func readSources(root, pkg string) error {
	cmd := exec.Command("go", "list", "-deps", "-f", sourceList, pkg)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	names := append(strings.Split(strings.TrimSpace(string(out)), "\n"), filepath.Join(root, "go.mod"))
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		_ = f.Close() // it was only opened for the record
	}
	return nil
}

// projectRoot returns the nearest directory with the project's go.mod, from the working directory
// upwards. Directories of nested modules, such as bench, do not count.
func projectRoot(t T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod")) // most have none
		if first, _, _ := strings.Cut(string(text), "\n"); first == "module "+modulePath {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("testenv: %s does not lie in the project", here)
		}
	}
}
