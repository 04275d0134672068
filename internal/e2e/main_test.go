package e2e

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// long is a length of a story: all of it in `make chaos`, else two fifths.
func long(n int) int {
	if testenv.Chaos {
		return n
	}
	return n * 2 / 5
}

func TestMain(m *testing.M) {
	testenv.Main(m, 5) // the stories wait for retries, leases and processes
}
