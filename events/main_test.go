package events_test

import (
	"flag"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// manyRows is the number of rows of a task in tests of plans, and of rows that share a fault group.
var manyRows = map[bool]int{false: 2_000, true: 20_000}[testenv.All]

func TestMain(m *testing.M) {
	checks := map[bool]string{false: "6", true: "30"}[testenv.All]
	_ = flag.Set("rapid.checks", checks) // the command line overrides it
	testenv.Main(m, 8)
}
