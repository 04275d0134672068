package testenv_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// mainT is a T for a program.
type mainT struct{}

func (mainT) Helper()        {}
func (mainT) Cleanup(func()) {}
func (mainT) Fatalf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	os.Exit(1)
}

// victim starts servers, prints the directories of all their files, waits for a line, and ends in
// the given way without cleaning up.
func victim(end string) {
	t := mainT{}
	testenv.Redis(t)
	postgres := testenv.StartPostgres(t)
	postgres.Pause()
	testenv.StartProcess(t, testenv.Binary(t, greeterPkg), nil).URL()
	fmt.Println(filepath.Dir(testenv.StartRedis(t).Dir()), filepath.Dir(postgres.Dir()))
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // its end will do as well
	if end == "panic" {
		panic("as told")
	}
}

func TestNothingOutlivesTheTest(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exit", "panic", "kill"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			cmd, in, roots := startVictim(t, end)
			if n := len(processesIn(t, roots)); n < 5 {
				t.Errorf("only %d processes mention %q: the test sees nothing", n, roots)
			}
			if end == "kill" {
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
			_ = in.Close()
			_ = cmd.Wait() // two of the three ends are bad ones
			expectNothing(t, roots)
		})
	}
}

func startVictim(t *testing.T, end string) (cmd *exec.Cmd, in io.Closer, roots []string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TESTENV_VICTIM="+end)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, in, strings.Fields(line)
}

// expectNothing waits until no process and no file in roots is left.
func expectNothing(t *testing.T, roots []string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for ; ; time.Sleep(20 * time.Millisecond) {
		left := processesIn(t, roots)
		for _, root := range roots {
			if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
				left = append(left, root)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left of %q: %q", roots, left)
		}
	}
}

// processesIn lists the processes whose working directory lies in one of roots or
// whose command line mentions one.
func processesIn(t *testing.T, roots []string) []string {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "stat=", "-o", "args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		dir, _ := os.Readlink("/proc/" + fields[0] + "/cwd") // it may have ended
		dead := strings.HasPrefix(fields[1], "Z")
		in := func(root string) bool { return strings.HasPrefix(dir, root) || strings.Contains(line, root) }
		if !dead && slices.ContainsFunc(roots, in) {
			found = append(found, line)
		}
	}
	return found
}
