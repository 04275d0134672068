package reconcile

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// defaultQuiet is how long after its start a job counts as running, unless its kind has a longer timeout.
// It is the default of SweeperOptions.Quiet.
const defaultQuiet = 2 * time.Minute

// defaultEvery is the default of SweeperOptions.Every.
const defaultEvery = time.Minute

// RepairsWithin is the time within which a sweeper with default options usually repairs a lost row that
// no process runs. It is the sum of SweeperOptions.Quiet, the wait for the next sweep, and the time of
// the sweep.
const RepairsWithin = defaultQuiet + defaultEvery + sweepTimeout

type keyOf struct{ kind, key string }

// atWork holds the keys whose lost jobs are not repaired now. A worker may be running such a job, and a
// second push would run the job twice at the same time. Later rows of its key are not repaired either, so the
// caller must pass the rows to skips in order.
type atWork struct {
	kinds *jobs.Registry
	quiet time.Duration
	keys  map[keyOf]bool // keys with a row that was not repaired
}

func newAtWork(kinds *jobs.Registry, quiet time.Duration) atWork {
	return atWork{kinds, quiet, map[keyOf]bool{}}
}

// skips reports whether the repair of a lost job is postponed. It returns true if a worker may be
// running the job, or if an earlier job of its key was skipped. A job in the morgue is never skipped.
func (w atWork) skips(task lanes.Feed, lost lostJob, now time.Time) bool {
	key := keyOf{task.Kind, refOf(task, &lost.event).Key}
	if lost.dead || !w.keys[key] && !w.runs(task, &lost.event, now) {
		return false
	}
	w.keys[key] = true
	return true
}

// runs reports whether a process may be running the job of a row.
func (w atWork) runs(task lanes.Feed, e *events.Event, now time.Time) bool {
	kind, _ := w.kinds.Kind(task.Kind)
	return e.Status == events.Working && e.StartedAt != nil &&
		now.Sub(time.UnixMilli(*e.StartedAt)) < max(kind.Timeout, w.quiet)
}
