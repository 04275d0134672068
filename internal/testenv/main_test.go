package testenv_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets the test binary play the victim of TestNothingOutlivesTheTest,
// and holds the package to its promise to leave no goroutine behind.
func TestMain(m *testing.M) {
	if end := os.Getenv("TESTENV_VICTIM"); end != "" {
		victim(end)
		return
	}
	goleak.VerifyTestMain(m)
}
