//go:build failpoints

package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	point, when, _ = strings.Cut(os.Getenv("FAILPOINT"), ":")
	skew, _        = time.ParseDuration(os.Getenv("CLOCK_SKEW"))
	left           = func() *atomic.Int64 {
		n, _ := strconv.ParseInt(when, 10, 64)
		a := &atomic.Int64{}
		a.Store(max(n, 1))
		return a
	}()
)

// Hit is the moment called name. If that is the one wished for, the process
// ends here: no deferred call, no flush, no farewell.
func Hit(name string) {
	if name == point && left.Add(-1) == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// Skewed is what a wrong wall clock would say at t.
func Skewed(t time.Time) time.Time { return t.Add(skew) }
