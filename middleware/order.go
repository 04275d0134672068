package middleware

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// settle makes the outcomes of one call agree with the order of their keys. A call of one job, the
// usual case, has no order.
func (t *tracker) settle(xs []*run, now time.Time) {
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

// byKey groups the runs of one call by their keys, each group in the order of the key.
func byKey(xs []*run) map[string][]*run {
	groups := make(map[string][]*run, len(xs))
	for _, x := range xs {
		groups[x.delivery.Key] = append(groups[x.delivery.Key], x)
	}
	return groups
}

// linkSuperseded links the runs to the runs that supersede them. In an untracked kind the newer job
// inherits the attempts of the older: the queue counts the retries of a key at its oldest payload
// alone.
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

// inOrder keeps the order among the jobs of each key that ran in one call. The first job of a key that
// does not end, and that no other supersedes, keeps its outcome with attempt and delay. Later jobs run
// again as if they had not started, even if their handler ended: the older job must end first. A
// superseded job ends only if the newer job ends. Otherwise it runs again, and so do the jobs after
// it.
func inOrder(groups map[string][]*run) {
	stays := make(map[string]*run, len(groups))
	for key, list := range groups {
		stays[key] = firstOpen(list)
	}
	for changed := true; changed; {
		changed = false
		for key, list := range groups {
			changed = hold(list, stays[key]) || changed
		}
	}
}

// hold puts back the jobs of one key that must run again, except stays. It reports whether it put a
// job back.
func hold(list []*run, stays *run) (changed bool) {
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

// firstOpen returns the first job that does not end and that no other job supersedes;
// nil if all end.
func firstOpen(list []*run) *run {
	for _, x := range list {
		if !x.unblocksKey() && x.newer == nil {
			return x
		}
	}
	return nil
}

// unblocksKey reports whether the next job of the same key may run.
func (x *run) unblocksKey() bool { return x.next.Kind == queue.Done || x.next.Kind == queue.Dead }

// requeue makes the job run again as if it had not started. An untracked job superseded by a job
// that is retried inherits its retry, which the queue counts only at the oldest payload of a key.
func (x *run) requeue() {
	x.returned = true
	x.verdict, x.text, x.fault, x.stack = jobs.Verdict{Kind: jobs.Later}, "", "", ""
	x.next = queue.Outcome{Kind: queue.Return}
	if newer := x.newer; newer != nil && newer.next.Kind == queue.Retry && !newer.next.Redelivered {
		x.next = queue.Outcome{Kind: queue.Retry, At: newer.next.At}
	}
}
