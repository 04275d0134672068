package testenv_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMain lets the test binary play the victim of TestNothingOutlivesTheTest,
// and holds the package to its promise to leave no goroutine behind.
func TestMain(m *testing.M) {
	if end := os.Getenv("TESTENV_VICTIM"); end != "" {
		victim(end)
		return
	}
	code := m.Run()
	if err := testenv.Leak(time.Minute); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
