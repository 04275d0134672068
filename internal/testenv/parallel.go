package testenv

import (
	"flag"
	"os"
	"strconv"
)

// Main runs the tests of a package, at most n at the same time, and exits. It is for a
// TestMain that does nothing else.
func Main(m interface{ Run() int }, n int) {
	SetParallel(n)
	os.Exit(m.Run())
}

// SetParallel sets how many parallel tests of the process run at once, unless the command line has
// -parallel. Go's default, one per processor, is too small for tests that mostly wait for servers.
// TestMain calls SetParallel before it runs the tests.
func SetParallel(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err) // the caller is not a test binary
	}
}
