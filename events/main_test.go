package events_test

import (
	"flag"
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "30") // the command line overrides it
	testenv.AtOnce(8)
	os.Exit(m.Run())
}
