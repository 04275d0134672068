package events_test

import (
	"flag"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// manyRows is the number of rows of a task in tests of plans, and of rows that share a fault group.
var manyRows = testenv.Size(2_000, 20_000)

func TestMain(m *testing.M) {
	checks := testenv.Size("6", "30")
	_ = flag.Set("rapid.checks", checks) // the command line overrides it
	testenv.Main(m, 8)
}
