package testenv_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMain also runs the test binary as the victim of TestNothingOutlivesTheTest. It checks that
// the package leaves no goroutine.
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
