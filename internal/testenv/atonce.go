package testenv

import (
	"flag"
	"strconv"
)

// AtOnce sets how many parallel tests of the process run at the same time, unless the
// command line has -parallel. Go's default, one for each processor, is too few for tests
// that mostly wait for servers. TestMain calls AtOnce before it runs the tests.
func AtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err) // the caller is no test binary
	}
}
