package explain

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// A queue counts as stuck if no attempt has ended for one of these times.
const (
	// stuckAfter applies while rows wait that could run.
	stuckAfter = 2 * time.Minute

	// busyStuckAfter applies while jobs run and others wait for them, by their keys or in the
	// ledger.
	busyStuckAfter = 10 * time.Minute
)

// progress explains that no job of a queue ends, although some wait.
func (x *explainer) progress(ctx context.Context, look *manage.QueueState) error {
	lag := time.Duration(look.Lag * float64(time.Second))
	lags := lag >= stuckAfter && look.Length+look.Busy > 0
	if !lags && (look.Busy == 0 || look.Length+look.Backlog == 0) {
		return nil
	}
	samples, err := x.s.Queue.Admin().History(ctx, look.Name, x.now.Add(-queue.SamplesKept))
	if err != nil {
		return manage.QueueProblem(err)
	}
	least := busyStuckAfter
	since := stillSince(samples, look.Stats.Stats, func(s queue.Sample) bool { return lags || s.Busy > 0 })
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
	x.add("NO_PROGRESS", "kind", look.Name, "n", int64(still/time.Minute)).At = textutil.Instant(since.UnixMilli())
	return nil
}

// stillSince returns the time since which no attempt of a queue has ended and all samples satisfy
// like, as far as samples go back. It returns zero if the last sample does not satisfy like.
func stillSince(samples []queue.Sample, now queue.Stats, like func(queue.Sample) bool) (since time.Time) {
	for _, s := range slices.Backward(samples) {
		if s.Processed != now.Processed || s.Failed != now.Failed || !like(s) {
			break
		}
		since = s.At
	}
	return since
}
