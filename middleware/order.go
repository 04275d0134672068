package middleware

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// keepOrder changes the outcomes of the runs of one call, so that the jobs of each key end in order. It
// then checks the keys for hot loops.
func (t *tracker) keepOrder(xs []*run, now time.Time) {
	if len(xs) == 1 {
		t.guard.check(xs[0].delivery.Key, xs, now)
		return
	}
	groups := byKey(xs)
	inOrder(groups)
	for key, list := range groups {
		t.guard.check(key, list, now)
	}
}

// byKey groups the runs of one call by key. Each group keeps the order of the runs.
func byKey(xs []*run) map[string][]*run {
	groups := make(map[string][]*run, len(xs))
	for _, x := range xs {
		groups[x.delivery.Key] = append(groups[x.delivery.Key], x)
	}
	return groups
}

// linkSuperseded links each superseded run to the newer run that supersedes it. In an untracked kind,
// the newer job also inherits the attempts of the older job, since the queue counts retries only for the
// oldest payload of a key.
func (t *tracker) linkSuperseded(xs []*run) {
	byCall := make(map[*jobs.Call]*run, len(xs))
	for _, x := range xs {
		byCall[x.call] = x
	}
	for _, x := range xs {
		x.newer = byCall[x.call.SupersededBy()]
		if x.newer != nil && t.kind.Untracked {
			x.newer.attempt = max(x.newer.attempt, x.attempt)
		}
	}
}

// inOrder keeps the order among the jobs of each key that ran in one call. A job blocks its key unless
// it ends or goes to the morgue. The first blocking job of a key that is not superseded keeps its
// outcome. The later jobs of the key run again as if they had not started, even if they have finished. A
// superseded job also runs again if the newer job blocks its key. The jobs after the superseded job then
// run again, too.
func inOrder(groups map[string][]*run) {
	stays := make(map[string]*run, len(groups))
	for key, list := range groups {
		stays[key] = firstOpen(list)
	}
	for changed := true; changed; {
		changed = false
		for key, list := range groups {
			changed = requeueBehind(list, stays[key]) || changed
		}
	}
}

// requeueBehind requeues the jobs of one key that must run again. The argument `stays` is the job
// that keeps its outcome, or nil. requeueBehind reports whether it requeued a job.
func requeueBehind(list []*run, stays *run) (changed bool) {
	held := false
	for _, x := range list {
		behind := held && x != stays
		waits := x.newer != nil && !x.newer.unblocksKey()
		if (behind || waits) && !x.returned {
			x.requeue()
			changed = true
		}
		held = held || !x.unblocksKey()
	}
	return changed
}

// firstOpen returns the first job that still blocks its key and is not superseded, or nil.
func firstOpen(list []*run) *run {
	for _, x := range list {
		if !x.unblocksKey() && x.newer == nil {
			return x
		}
	}
	return nil
}

// unblocksKey reports whether the job ends or goes to the morgue, so that the next job of its key
// may run.
func (x *run) unblocksKey() bool { return x.next.Kind == queue.Done || x.next.Kind == queue.Dead }

// requeue makes the job run again as if it had not started. An exception is an untracked job whose
// newer, superseding job is retried. The older job then gets the same retry, since the queue counts
// retries only for the oldest payload of a key.
func (x *run) requeue() {
	x.returned = true
	x.outcome, x.text, x.fault, x.stack = jobs.Outcome{Kind: jobs.Later}, "", "", ""
	x.next = queue.Outcome{Kind: queue.Return}
	if newer := x.newer; newer != nil && newer.next.Kind == queue.Retry && !newer.next.Redelivered {
		x.next = queue.Outcome{Kind: queue.Retry, At: newer.next.At}
	}
}
