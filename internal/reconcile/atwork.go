package reconcile

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// quiet is how long a job without a timeout may run unseen. See SweeperOptions.
const quiet = 2 * time.Minute

// keyOf is a key of a queue.
type keyOf struct{ kind, key string }

// atWork decides which strays are left alone: their jobs may be at work, and if they were
// pushed again they would run beside themselves. So would rows of their keys behind them,
// which the caller passes later.
type atWork struct {
	kinds *jobs.Registry
	quiet time.Duration
	keys  map[keyOf]bool // of which a row was left alone
}

func newAtWork(kinds *jobs.Registry, quiet time.Duration) atWork {
	return atWork{kinds, quiet, map[keyOf]bool{}}
}

// keep reports whether a stray is left alone.
func (w atWork) keep(task lanes.Feed, one lostJob, now time.Time) bool {
	key := keyOf{task.Kind, refOf(task, &one.event).Key}
	if one.dead || !w.keys[key] && !w.runs(task, &one.event, now) {
		return false
	}
	w.keys[key] = true
	return true
}

// runs reports whether a process may run the job of a row.
func (w atWork) runs(task lanes.Feed, e *events.Event, now time.Time) bool {
	kind, _ := w.kinds.Kind(task.Kind)
	return e.Status == events.Working && e.StartedAt != nil &&
		now.Sub(time.UnixMilli(*e.StartedAt)) < max(kind.Timeout, w.quiet)
}
