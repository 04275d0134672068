package testenv

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"testing"
)

// sharedRedis and sharedPostgres are shared by the tests of one process. They start at the first use, and
// end with the process.
var sharedRedis, sharedPostgres shared

// filled guards the only call that PostgresLike makes of its argument `fill`. The error of this call is
// in fillErr.
var (
	filled  sync.Once
	fillErr error
)

type shared struct {
	mu     sync.Mutex
	server *Server
}

// get returns the server, and starts it at the first call.
func (s *shared) get(t T, start func(T) *Server) *Server {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		s.server = start(t)
	}
	return s.server
}

// peek returns the server, or nil before the first get.
func (s *shared) peek() *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}

// Main runs the tests of a package, at most n at the same time, and exits. A TestMain without other work
// calls it.
func Main(m interface{ Run() int }, n int) {
	Tune(n)
	os.Exit(m.Run())
}

// Size returns the size of a test, such as a number of rows: `full` in `make test-all`, else `quick`.
func Size[T any](quick, full T) T {
	if All {
		return full
	}
	return quick
}

// gcPercent is the garbage collection target of test processes. With Go's default, 100, tests with
// many short services spend a fifth of their processor time on it.
const gcPercent = 400

// Tune prepares the process for tests that mostly wait for servers. TestMain calls it before it runs the
// tests. At most n parallel tests run at once, unless the command line has -parallel: Go's default, one
// per processor, is too small. Tune also makes garbage collection rarer, unless the environment has
// GOGC.
func Tune(n int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
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

const (
	memoryDir  = "/dev/shm" // on Linux a file system in memory
	memoryRoom = 2 << 30    // minimum of free bytes to use it; containers have 64 MB of it
)

// memoryRoot makes a directory in memory and returns its path. It returns `root` if the machine has no
// memoryDir that the process may write to, or if memoryDir has less than memoryRoom free. It also returns
// `root` in `make chaos`, whose ledgers are large, and in programs that are not tests.
func memoryRoot(root string) (string, error) {
	var stat syscall.Statfs_t
	if !testing.Testing() || Chaos || syscall.Statfs(memoryDir, &stat) != nil ||
		int64(stat.Bavail)*int64(stat.Bsize) < memoryRoom {
		return root, nil
	}
	dir, err := os.MkdirTemp(memoryDir, "rollcall-test-")
	if err != nil {
		return root, nil // no access
	}
	return dir, os.Chmod(dir, 0o755) // the user postgres must enter it
}
