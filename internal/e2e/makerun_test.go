//go:build all

package e2e

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// output is the output of a command, readable while the command runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// TestMakeRun_Interrupted_EndsWithOneLineAndNoError sends SIGINT to make and its programs, as Ctrl-C does.
func TestMakeRun_Interrupted_EndsWithOneLineAndNoError(t *testing.T) {
	t.Parallel()
	var out output
	run := exec.CommandContext(t.Context(), "make", "-C", "../..", "run")
	run.Env = append(run.Environ(), "LISTEN=127.0.0.1:0", "DATA_DIR="+t.TempDir(), "GOFLAGS=", "MAKEFLAGS=")
	run.Stdout, run.Stderr = &out, &out
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for end := time.Now().Add(5 * time.Minute); !strings.Contains(out.String(), "listening on http://"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) || len(ended) > 0 {
			t.Fatalf("make run does not start:\n%s", &out)
		}
	}
	if err := syscall.Kill(-run.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-ended // make is ended by the signal, so Wait returns an error
	text := out.String()
	_, after, _ := strings.Cut(text, "listening on")
	lines := strings.Split(strings.TrimSpace(after), "\n")[1:]
	if len(lines) > 2 || strings.Contains(text, "***") || !strings.Contains(text, "stopped: accepted tasks are stored") {
		t.Errorf("make run ends with\n%s", text)
	}
}
