//go:build all

package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestGoroutineDump sends SIGUSR1 to each program twice. Each time the program logs what its
// goroutines do, and continues.
func TestGoroutineDump(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	for _, p := range []*testenv.Process{h.api(), h.worker()} {
		says(t, p, "msg=starting", 1)
		for i := range 2 {
			if err := syscall.Kill(p.PID(), syscall.SIGUSR1); err != nil {
				t.Fatal(err)
			}
			says(t, p, "goroutine 1 [", i+1)
		}
		says(t, p, "internal/boot.Run", 1)
		p.Term()
		if code := p.Wait(); code != 0 {
			t.Errorf("exit code %d after the dumps; stderr:\n%.4000s", code, p.Stderr())
		}
	}
}

// says waits, at most a minute, until a program has logged a text n times.
func says(t *testing.T, p *testenv.Process, what string, n int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); strings.Count(p.Stderr(), what) < n; {
		if time.Now().After(end) || !p.Running() {
			t.Fatalf("%q was not said %d times:\n%.4000s", what, n, p.Stderr())
		}
		time.Sleep(10 * time.Millisecond)
	}
}
