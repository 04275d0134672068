package events_test

import (
	"flag"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "30") // the command line overrides it
	testenv.Main(m, 8)
}
