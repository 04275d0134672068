package middleware

import (
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// movesOf returns the runs in the given units that change the status of their rows, and these changes as
// moves.
func movesOf(units []*unit, by int32) (runs []*run, moves []events.Move) {
	for _, u := range units {
		for _, x := range u.runs {
			x.by = by
			if m, ok := x.move(); ok {
				x.wrote = m
				runs, moves = append(runs, x), append(moves, m)
			}
		}
	}
	return runs, moves
}

// refusedOf returns the runs whose moves the ledger has refused.
func refusedOf(runs []*run, made []bool) (late []*run) {
	for i, x := range runs {
		if !made[i] {
			late = append(late, x)
		}
	}
	return late
}

// close passes the outcomes of a unit to the queue after the commit of its group, and releases the batches
// of its runs. It also calls report, unless the unit waits for an older job of its key.
func (g *grouping) close(u *unit) {
	u.chain.waits = !u.unblocksKey()
	g.t.spoils.note(u.undone)
	if !u.back {
		g.report(u)
	}
	for _, x := range u.runs {
		x.delivery.Resolve(x.next)
		g.t.rec.progress.forget(x)
		x.release()
	}
}

// report passes the outcomes of a unit's jobs to the queue, and calls OnRun for its runs. Before that, it
// checks the key of the unit with the loopGuard.
func (g *grouping) report(u *unit) {
	g.t.guard.check(u.key(), u.runs, g.t.rec.opt.Now())
	for _, x := range u.runs {
		x.delivery.Resolve(x.next)
		g.t.rec.opt.OnRun(u.ctx, x.finishedRun(x.outcomeName()))
	}
}

// returnStopped calls giveBack for the units that must not run. A unit must not run if the process or its
// recorder stops, or if the lease of the unit's shard is lost. The same applies if the ledger was set back
// since the jobs of the unit were fetched.
func (g *grouping) returnStopped(timeline int64, ok bool) {
	before := len(g.units)
	g.units = slices.DeleteFunc(g.units, func(u *unit) bool {
		gone := !ok || u.stopped(g.t) || u.runs[0].since.Timeline != timeline
		if gone {
			g.giveBack(u)
		}
		return gone
	})
	if len(g.units) < before {
		g.sizes = nil
	}
}

// giveBack makes the queue deliver the jobs of a unit again. If the ledger shows a job as Working, the
// recorder first sets its status back to Enqueue.
func (g *grouping) giveBack(u *unit) {
	u.wait()
	u.chain.waits = true
	for _, x := range u.runs {
		x.next.Redelivered = g.doubt || u.lost()
		x.delivery.Resolve(x.next)
		if x.workingNoted {
			g.t.rec.end(x)
		} else {
			g.t.rec.progress.forget(x)
			x.release()
		}
	}
}

// refuse removes from the group the runs whose moves the ledger has refused. For example, another process
// has moved these jobs, or an earlier commit with a lost response has recorded their outcomes. The
// transaction was rolled back, so the other units of the group run again.
func (g *grouping) refuse(late []*run) {
	states, ok := g.t.rec.states(late)
	for _, x := range late {
		x.delivery.Resolve(queue.Outcome{Kind: queue.Return, Redelivered: true})
		if ok {
			x.delivery.Resolve(x.next)
			x.refuse(states[x.id])
		}
	}
	for _, u := range g.units {
		u.remove(late)
	}
	g.units = slices.DeleteFunc(g.units, func(u *unit) bool { return len(u.runs) == 0 })
	g.sizes = nil
	for _, x := range late {
		g.t.rec.progress.forget(x)
		x.release()
	}
}

// errExited is the system fault of a handler that called runtime.Goexit.
var errExited = errors.New("the handler ended its goroutine")

// exited ends the unit whose handler called runtime.Goexit, with the system fault errExited.
func (g *grouping) exited() {
	for i, u := range g.units {
		if u == g.at {
			g.units = append(g.units[:i:i], g.units[i+1:]...)
			g.t.overrule(u, errExited)
			u.chain.waits = true
			g.report(u)
			g.t.rec.progress.end(u.runs)
		}
	}
	g.at, g.sizes = nil, nil
}
