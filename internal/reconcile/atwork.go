package reconcile

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// quiet is how long a job without a timeout may run without a record. See SweeperOptions.
const quiet = 2 * time.Minute

// keyOf identifies a key of a queue.
type keyOf struct{ kind, key string }

// atWork decides which lost jobs are not repaired. A worker may be running such a job, and a second
// push would run it twice at the same time. The same applies to later rows of its key; the caller
// passes rows in order.
type atWork struct {
	kinds *jobs.Registry
	quiet time.Duration
	keys  map[keyOf]bool // keys with a row that was not repaired
}

func newAtWork(kinds *jobs.Registry, quiet time.Duration) atWork {
	return atWork{kinds, quiet, map[keyOf]bool{}}
}

// keep reports whether a lost job is not repaired.
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
