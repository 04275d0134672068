package e2e

import (
	"flag"
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// atOnce is how many stories are told at once, unless -parallel says otherwise:
// they mostly wait, for retries, leases and processes.
const atOnce = "5"

// long is a length of a story: all of it in `make chaos`, else two fifths.
func long(n int) int {
	if testenv.Chaos {
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
