package explain

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// These are the times after which a queue without an ended attempt counts as stuck.
const (
	// stuckAfter is a time. A queue is stuck if no attempt has ended for this time, and a row that may run
	// has waited for it.
	stuckAfter = 2 * time.Minute

	// busyStuckAfter is the time without an ended attempt after which a queue is stuck, if jobs run and
	// other rows wait for them.
	busyStuckAfter = 10 * time.Minute
)

// progress adds a reason if rows of a queue wait, and no attempt has ended for stuckAfter or
// busyStuckAfter.
func (x *explainer) progress(ctx context.Context, state *manage.QueueState) error {
	lag := time.Duration(state.Lag * float64(time.Second))
	lags := lag >= stuckAfter && state.Length+state.Busy > 0
	if !lags && (state.Busy == 0 || state.Length+state.Backlog == 0) {
		return nil
	}
	samples, err := x.s.Queue.Admin().History(ctx, state.Name, x.now.Add(-queue.SamplesKept))
	if err != nil {
		return manage.QueueProblem(err)
	}
	least := busyStuckAfter
	since := stillSince(samples, state.Stats.Stats, func(s queue.Sample) bool { return lags || s.Busy > 0 })
	if lags {
		least = stuckAfter
		if waits := x.now.Add(-lag); waits.After(since) && !since.IsZero() {
			since = waits
		}
	}
	still := x.now.Sub(since)
	if since.IsZero() || still < least {
		return nil
	}
	x.add("NO_PROGRESS", "kind", state.Name, "n", int64(still/time.Minute)).At = textutil.Instant(since.UnixMilli())
	return nil
}

// stillSince returns the time since which no attempt of a queue has ended and each sample meets the
// condition `like`. The time is never before the first sample. It is zero if there is no sample, if an
// attempt has ended since the last sample, or if the last sample does not meet `like`.
func stillSince(samples []queue.Sample, now queue.Stats, like func(queue.Sample) bool) (since time.Time) {
	for _, s := range slices.Backward(samples) {
		if s.Processed != now.Processed || s.Failed != now.Failed || !like(s) {
			break
		}
		since = s.At
	}
	return since
}
