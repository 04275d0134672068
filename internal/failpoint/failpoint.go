// Package failpoint kills the process at a named moment, so that a test can check the state after a
// crash. It also sets the clock of the process ahead or back.
//
// The package works only in programs that are linked with [LinkFlag], as internal/testenv links them. In any other
// program, it does nothing, even if the environment variables are set. Unlike a build tag, a linker flag
// needs no second compilation of the service.
//
// A test chooses the moment in the environment of the process:
//
//	FAILPOINT=committed     the process kills itself (SIGKILL) at the first "committed"
//	FAILPOINT=committed:3   at the third
//	CLOCK_SKEW=1h           ledger.DB.Now is an hour ahead, if it uses the clock of this machine
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// LinkFlag is the flag of the Go linker that enables the package.
const LinkFlag = "-X github.com/rollcall-dev/rollcall/internal/failpoint.armed=yes"

// armed is set by the linker through LinkFlag. If it is empty, the package does nothing.
var armed string

var (
	point string
	left  atomic.Int64 // hits of `point` until the process kills itself
	skew  time.Duration
)

func init() {
	if armed == "" {
		return
	}
	name, count, _ := strings.Cut(os.Getenv("FAILPOINT"), ":")
	n, _ := strconv.ParseInt(count, 10, 64) // without a number: the first hit
	left.Store(max(n, 1))
	point = name
	skew, _ = time.ParseDuration(os.Getenv("CLOCK_SKEW")) // without a duration: no skew
}

// Hit kills the process if FAILPOINT has this name. With FAILPOINT=name:3, Hit kills the process at the third
// call with the name. No deferred call runs, and no buffer is flushed.
func Hit(name string) {
	if armed == "" || name != point || left.Add(-1) != 0 {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// Skewed returns t plus the duration in CLOCK_SKEW. It returns t if the variable has no duration,
// or if the package is not enabled.
func Skewed(t time.Time) time.Time { return t.Add(skew) }
