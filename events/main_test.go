package events_test

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "30") // the command line overrides it
	flag.Parse()
	os.Exit(m.Run())
}
