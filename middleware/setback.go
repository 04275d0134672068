package middleware

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// attestTimeout is the longest time for one call of Options.Attest.
const attestTimeout = time.Second

// attest calls Options.Attest and logs its error. An error does not delay the commits: while Redis
// is unreachable, the queue removes no jobs either.
func (r *Recorder) attest() {
	ctx, cancel := context.WithTimeout(r.ctx, attestTimeout)
	defer cancel()
	if err := r.opt.Attest(ctx); err != nil {
		r.opt.Log.Debug("commits are not recorded in Redis", "err", err)
	}
}

// setBack calls Options.SetBack, and returns the ended and the rechecked jobs of a group to the queue.
// It is called after the ledger was set back.
func (r *Recorder) setBack(g group, rechecks []*recheck) {
	r.opt.SetBack()
	requeue(g.ended, rechecks)
}

// setTimeline sets the timeline of a group to the current timeline of the ledger. A new timeline begins
// when the ledger was set back. The ledger may then have lost the number of this process, so setTimeline
// clears the number.
func (r *Recorder) setTimeline(g *group) {
	if g.timeline = r.ledger.Point().Timeline; g.timeline != r.timeline {
		r.timeline = g.timeline
		r.by.Store(0)
	}
}

// joinTimeline returns the current timeline for a group of DefineTx jobs, and registers this process in the
// ledger if it is not registered yet. It returns false if the recorder gave up on the ledger.
func (r *Recorder) joinTimeline() (timeline int64, ok bool) {
	var g group
	r.mu.Lock()
	r.setTimeline(&g)
	r.mu.Unlock()
	return g.timeline, r.register()
}

// returnVoid returns the void runs of a group to the queue and keeps the others. A run is void if
// the ledger was set back since its job was fetched. Older rows of its key may then have to run
// again before it.
func (r *Recorder) returnVoid(g *group) {
	if !g.hasVoid() {
		return
	}
	var ended []*run
	var rechecks []*recheck
	ours := group{timeline: g.timeline}
	for _, x := range g.ended {
		if x.since.Timeline != g.timeline {
			ended = append(ended, x)
		} else {
			ours.ended = append(ours.ended, x)
		}
	}
	for _, q := range g.rechecks {
		if q.x.since.Timeline != g.timeline {
			rechecks = append(rechecks, q)
		} else {
			ours.rechecks = append(ours.rechecks, q)
		}
	}
	requeue(ended, rechecks)
	*g = ours
}

// hasVoid reports whether the group contains a run whose job was fetched before the ledger was set back.
func (g *group) hasVoid() bool {
	return slices.ContainsFunc(g.ended, func(x *run) bool { return x.since.Timeline != g.timeline }) ||
		slices.ContainsFunc(g.rechecks, func(q *recheck) bool { return q.x.since.Timeline != g.timeline })
}

// requeue returns jobs to the queue. At their next delivery, workers drop each job that was pushed
// before the ledger was set back. A feeder pushes the rows of dropped jobs again.
func requeue(ended []*run, rechecks []*recheck) {
	for _, q := range rechecks {
		q.answer <- errTaken
	}
	for _, x := range ended {
		x.delivery.Resolve(queue.Outcome{Kind: queue.Return, Redelivered: true})
		x.release()
	}
}
