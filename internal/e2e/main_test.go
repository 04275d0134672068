package e2e

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// long returns the size of a test, such as its number of rows: `n` in `make chaos`, two fifths of `n` in
// `make test-all`, a fifth in `make test`.
func long(n int) int {
	switch {
	case testenv.Chaos:
		return n
	case testenv.All:
		return n * 2 / 5
	}
	return n / 5
}

func TestMain(m *testing.M) {
	// The tests wait for retries, leases and processes. The race detector leaves less time.
	testenv.Main(m, testenv.Size(5, 4))
}
