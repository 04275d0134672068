package middleware

import (
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
)

// soloTries is how often a group is tried if the database aborts it, or if its first unit ends with
// jobs.ErrTxHeld. After these tries, lostAll divides a group of several units, and lostIn ends the first
// unit alone.
const soloTries = 3

// lostIn plans the next try after the unit with index `n` has failed after a write, or has lost the
// transaction.
func (g *grouping) lostIn(n int, err error) {
	if g.handleKnown(err) {
		return
	}
	g.tries++
	switch {
	case n == 0 && g.tries < soloTries && (ledger.Aborted(err) || errors.Is(err, jobs.ErrTxHeld)):
	case n == 0:
		g.endAlone(err)
	case errors.Is(err, errSpoiled):
		g.again = true
	default:
		g.sizes, g.again = []int{n}, false
	}
}

// lostAll plans the next try after the commit of the first `n` units has failed. After a deadlock or a
// serialization failure, the units have soloTries tries together. Otherwise they run one by one, which
// shows the faulty unit. A single unit ends alone.
func (g *grouping) lostAll(n int, err error) {
	if g.handleKnown(err) {
		return
	}
	g.tries++
	switch {
	case g.tries < soloTries && ledger.Aborted(err):
		g.sizes = []int{n}
	case n == 1:
		g.endAlone(err)
	default:
		g.sizes, g.again = slices.Repeat([]int{1}, n), false
	}
}

// handleKnown handles errors that no job has caused, such as an unreachable ledger. It reports
// whether `err` is such an error.
func (g *grouping) handleKnown(err error) bool {
	switch {
	case errors.Is(err, errVoid), errors.Is(err, queue.ErrLeaseLost): // returnStopped gives the jobs back
		return true
	case errors.Is(err, events.ErrSetBack):
		g.t.rec.opt.SetBack()
		g.doubt = true
		for _, u := range g.units {
			g.giveBack(u)
		}
		g.units, g.sizes = nil, nil
		return true
	case ledger.Unavailable(err):
		g.wait(err)
		return true
	}
	return false
}

// wait logs that the ledger is unreachable, and pauses before the next try.
func (g *grouping) wait(err error) {
	r := g.t.rec
	r.opt.Log.Error("ledger does not answer", "verb", "group", "err", err)
	g.pause = min(max(2*g.pause, firstPause), lastPause)
	periodic.Pause(r.ctx, g.pause)
}

// endAlone ends the first unit without its writes. If the unit has finished, or `err` is jobs.ErrTxHeld,
// `err` replaces the outcome of the unit. endAlone waits until the recorder has released the runs of the
// unit, or has stopped.
func (g *grouping) endAlone(err error) {
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
	g.advance(1)
}
