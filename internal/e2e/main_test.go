package e2e

import (
	"flag"
	"os"
	"testing"
)

// atOnce is how many stories are told at once, unless -parallel says otherwise:
// they mostly wait, for retries, leases and processes.
const atOnce = "5"

// long is a length of a story: all of it with CHAOS=1, else two fifths.
func long(n int) int {
	if os.Getenv("CHAOS") != "" {
		return n
	}
	return n * 2 / 5
}

func TestMain(m *testing.M) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
