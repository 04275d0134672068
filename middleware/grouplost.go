package middleware

import (
	"errors"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
)

// soloTries is how often a group runs that the database aborts, or whose first unit keeps the
// transaction open for too long. Then it is divided, or the unit runs alone.
const soloTries = 3

// lostIn handles a group whose n-th unit, from 0, has spoiled or lost the transaction.
func (g *grouping) lostIn(n int, err error) {
	if g.known(err) {
		return
	}
	g.tries++
	switch {
	case n == 0 && g.tries < soloTries && (ledger.BrokenOff(err) || errors.Is(err, jobs.ErrTxHeld)):
	case n == 0:
		g.alone(err)
	case errors.Is(err, errSpoiled):
		g.again = true
	default:
		g.sizes, g.again = []int{n}, false
	}
}

// lostAll handles the first n units, which have run, after their commit has failed. They then run one
// by one, which shows the faulty unit.
func (g *grouping) lostAll(n int, err error) {
	if g.known(err) {
		return
	}
	g.tries++
	switch {
	case g.tries < soloTries && ledger.BrokenOff(err):
		g.sizes = []int{n}
	case n == 1:
		g.alone(err)
	default:
		g.sizes, g.again = slices.Repeat([]int{1}, n), false
	}
}

// known handles errors that no job has caused, and reports whether err is one of them.
func (g *grouping) known(err error) bool {
	switch {
	case errors.Is(err, errVoid), errors.Is(err, queue.ErrLeaseLost): // sift finds the jobs
		return true
	case errors.Is(err, events.ErrSetBack):
		g.t.rec.opt.SetBack()
		g.doubt = true
		for _, u := range g.units {
			g.giveBack(u)
		}
		g.units, g.sizes = nil, nil
		return true
	case ledger.Away(err):
		g.wait(err)
		return true
	}
	return false
}

// wait pauses while the ledger is unreachable.
func (g *grouping) wait(err error) {
	r := g.t.rec
	r.opt.Log.Error("ledger does not answer", "verb", "group", "err", err)
	g.pause = min(max(2*g.pause, firstPause), lastPause)
	select {
	case <-r.ctx.Done():
	case <-time.After(g.pause):
	}
}

// alone ends the next unit without effect, with its verdict or, if it has finished, with err as a
// system fault. The recorder writes this outcome as for any kind. The next job of the key runs
// after that commit.
func (g *grouping) alone(err error) {
	u, r := g.units[0], g.t.rec
	if u.finished() || errors.Is(err, jobs.ErrTxHeld) {
		g.t.overrule(u, err)
	}
	left := make(chan bool, len(u.runs))
	for _, x := range u.runs {
		release := x.done
		x.done = func() { left <- x.acked(); release() }
	}
	g.report(u)
	r.progress.end(u.runs)
	for range u.runs {
		select {
		case acked := <-left:
			u.chain.waits = u.chain.waits || !acked
		case <-r.ctx.Done():
			u.chain.waits = true
		}
	}
	g.took(1)
}
