package middleware

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// attestTimeout bounds one call of Options.Attest.
const attestTimeout = time.Second

// attest calls Options.Attest. A Redis that is away does not hold up the ledger: it
// takes no acks then either.
func (r *Recorder) attest() {
	ctx, cancel := context.WithTimeout(r.ctx, attestTimeout)
	defer cancel()
	if err := r.opt.Attest(ctx); err != nil {
		r.opt.Log.Debug("commits are not noted in Redis", "err", err)
	}
}

// void reports whether the outcome of a run must not be recorded: the ledger was set back
// since it was fetched. The row of a newer job must not end before older rows of its key
// have run again.
func (r *Recorder) void(x *run) bool { return x.since.Turn != r.ledger.Point().Turn }

// setBack gives up a group that the ledger has refused, for it was set back.
func (r *Recorder) setBack(g group, asked []*ask) {
	r.opt.SetBack()
	putBack(g.ended, asked)
}

// begins notes the turn of a group. In another turn the ledger may not have the number of
// this process any more.
func (r *Recorder) begins(g *group) {
	if g.turn = r.ledger.Point().Turn; g.turn != r.turn {
		r.turn = g.turn
		r.by.Store(0)
	}
}

// sift takes the void runs out of a group.
func (r *Recorder) sift(g *group) {
	var ended []*run
	var asked []*ask
	ours := group{turn: g.turn}
	for _, x := range g.ended {
		if x.since.Turn != g.turn {
			ended = append(ended, x)
		} else {
			ours.ended = append(ours.ended, x)
		}
	}
	for _, q := range g.asked {
		if q.x.since.Turn != g.turn {
			asked = append(asked, q)
		} else {
			ours.asked = append(ours.asked, q)
		}
	}
	if len(ended)+len(asked) > 0 {
		putBack(ended, asked)
		*g = ours
	}
}

// putBack returns jobs to the queue. It drops those of an older mark when they come
// again; the feeder pushes the rows that the ledger has.
func putBack(ended []*run, asked []*ask) {
	for _, q := range asked {
		q.answer <- errTaken
	}
	for _, x := range ended {
		x.delivery.Resolve(queue.Outcome{Kind: queue.Return, Redelivered: true})
		x.release()
	}
}
