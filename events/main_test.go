package events_test

import (
	"flag"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	checks := map[bool]string{false: "10", true: "30"}[testenv.All]
	_ = flag.Set("rapid.checks", checks) // the command line overrides it
	testenv.Main(m, 8)
}
