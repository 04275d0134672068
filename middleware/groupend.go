package middleware

import (
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// movesOf returns the moves of units that have run or wait, and their runs.
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

// refusedOf returns the runs whose moves were not made.
func refusedOf(runs []*run, made []bool) (late []*run) {
	for i, x := range runs {
		if !made[i] {
			late = append(late, x)
		}
	}
	return late
}

// close releases a unit that was committed, or that waits for an older job of its key.
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

// report passes the outcome of a unit to the queue, and calls OnRun for its runs.
func (g *grouping) report(u *unit) {
	g.t.guard.check(u.key(), u.runs, g.t.rec.opt.Now())
	for _, x := range u.runs {
		x.delivery.Resolve(x.next)
		g.t.rec.opt.OnRun(u.ctx, x.ran(x.outcome()))
	}
}

// sift returns units to the queue that must not run any more: the process stops, the lease of their
// shard was lost, or the ledger was set back since.
func (g *grouping) sift(turn int64, ok bool) {
	before := len(g.units)
	g.units = slices.DeleteFunc(g.units, func(u *unit) bool {
		gone := !ok || u.stopped(g.t) || u.runs[0].since.Turn != turn
		if gone {
			g.giveBack(u)
		}
		return gone
	})
	if len(g.units) < before {
		g.sizes = nil
	}
}

// giveBack returns a unit to the queue. The recorder records that a job noted as working does not run.
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

// refuse releases runs whose jobs have ended elsewhere, or were ended by a commit whose answer was
// lost. The group was rolled back; the others run again without them.
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
		u.leaveOut(late)
	}
	g.units = slices.DeleteFunc(g.units, func(u *unit) bool { return len(u.runs) == 0 })
	g.sizes = nil
	for _, x := range late {
		g.t.rec.progress.forget(x)
		x.release()
	}
}

// errExited is the fault of a handler that ended its goroutine.
var errExited = errors.New("the handler ended its goroutine")

// exited ends the unit whose handler has ended the goroutine.
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
