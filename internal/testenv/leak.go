package testenv

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// usual lists parts of function names. A goroutine is not a leak if the name of its current function
// contains such a part.
var usual = []string{
	"testing.", "runtime.", "os/signal.", "internal/testenv.leftGoroutines", "runtime/trace.", "runtime/pprof.",
}

// Leak returns an error with the stacks of the goroutines that still run after all tests. It waits up to
// `patience` for their end.
func Leak(patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		left := leftGoroutines()
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("testenv: %d goroutines are left:\n%s", len(left), strings.Join(left, "\n\n"))
		}
	}
}

// leftGoroutines returns the stacks of the goroutines that may be leaks.
func leftGoroutines() (left []string) {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		if !isUsual(stack) {
			left = append(left, stack)
		}
	}
	return left
}

// isUsual reports whether the function at the top of a stack is in the list `usual`. It also
// returns true if the runtime or package os/signal has started the goroutine.
func isUsual(stack string) bool {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	if len(lines) < 2 {
		return true
	}
	for _, name := range usual {
		if strings.Contains(lines[1], name) || strings.Contains(lines[0], "syscall") && strings.Contains(stack, "os/signal.signal_recv") {
			return true
		}
	}
	return strings.Contains(stack, "created by runtime.") || strings.Contains(stack, "created by os/signal.")
}
