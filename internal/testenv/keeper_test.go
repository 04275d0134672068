package testenv_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// victim starts servers, tells the directory of all their files, waits for a
// line, and comes to the given end without cleaning up.
func victim(end string) {
	t := mainT{}
	testenv.Redis(t)
	testenv.StartPostgres(t).Pause()
	testenv.StartProcess(t, testenv.Binary(t, greeterPkg), nil).URL()
	fmt.Println(filepath.Dir(testenv.StartRedis(t).Dir()))
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
			cmd, in, root := startVictim(t, end)
			if n := len(processesIn(t, root)); n < 5 {
				t.Errorf("only %d processes mention %s: the test sees nothing", n, root)
			}
			if end == "kill" {
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
			_ = in.Close()
			_ = cmd.Wait() // two of the three ends are bad ones
			expectNothing(t, root)
		})
	}
}

func startVictim(t *testing.T, end string) (cmd *exec.Cmd, in io.Closer, root string) {
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
	root, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, in, strings.TrimSpace(root)
}

// expectNothing waits until neither a process nor a file of root is left.
func expectNothing(t *testing.T, root string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for ; ; time.Sleep(20 * time.Millisecond) {
		left := processesIn(t, root)
		_, err := os.Stat(root)
		if len(left) == 0 && errors.Is(err, os.ErrNotExist) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left in %s: %v, %q", root, err, left)
		}
	}
}

// processesIn lists the processes whose working directory lies in root or
// whose command line mentions it.
func processesIn(t *testing.T, root string) []string {
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
		if !dead && (strings.HasPrefix(dir, root) || strings.Contains(line, root)) {
			found = append(found, line)
		}
	}
	return found
}
