package middleware

import (
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
)

// groupUnits is the maximum number of units of a group. A unit is one call of the handler, and a
// group is committed in one transaction. A group may have more units if it begins with units that
// were taken from the pool earlier.
const groupUnits = 500

// grouping is a loop that runs units of a pool in groups. The writes and outcomes of a group are
// committed in one transaction.
//
// A group first runs without savepoints, unless the spoilScore of its kind is manySpoils or more. A
// unit fails if one of its jobs does not finish. If a unit fails after a write, the group runs again
// with a savepoint per unit, and only the failed unit is rolled back. If that unit was the first of
// the group, it ends alone instead, without its writes. If the transaction is lost while a unit runs,
// the units before it run again as a group. The unit then runs first in the next group. If the unit
// loses this transaction, too, it ends alone. If the database aborted the transaction, or the handler
// held it beyond the limit, the unit ends alone only after soloTries tries.
type grouping struct {
	t      *tracker
	units  []*unit       // taken from the pool and not ended
	sizes  []int         // numbers of units of the next groups; later groups have any size
	again  bool          // the next group has failed without savepoints, and gets them
	tries  int           // failed attempts of the next group
	pause  time.Duration // the last pause while the ledger was unreachable
	doubt  bool          // the answer of a commit was lost, so the commit may have succeeded
	at     *unit         // the unit whose handler runs
	slowed bool          // a slow handler blocks it, so another grouping may take its place; under pool.mu
	left   bool          // the grouping has ended; under pool.mu
}

// errVoid means that the ledger was set back after a job was fetched.
var errVoid = errors.New("the ledger was set back since the job was fetched")

// loop runs groups until leave ends the grouping. If a handler calls runtime.Goexit, loop continues
// on a new goroutine.
func (g *grouping) loop() {
	ended := false
	defer func() {
		if !ended {
			g.exited()
			go g.loop()
		}
	}()
	for !ended {
		g.next()
		ended = len(g.units) == 0 && g.leave()
	}
}

// next runs and commits one group. After an error, it plans the next try.
func (g *grouping) next() {
	timeline, ok := g.t.rec.joinTimeline()
	g.returnStopped(timeline, ok)
	a := g.t.rec.newGroupTx(timeline, g.again || g.t.spoils.isHigh() && g.tries == 0)
	defer a.end()
	n, err := g.run(a, ok)
	if err != nil {
		a.end()
		g.lostIn(n, err)
		return
	}
	if err := g.commit(a, g.units[:n]); err != nil {
		a.end()
		g.lostAll(n, err)
	}
}

// run runs the units of a group one after another, and returns their number. After an error, `n` is
// the index of the failed unit. If the argument `pulls` is true and the group has not failed
// before, run also takes more units from the pool.
func (g *grouping) run(a *groupTx, pulls bool) (n int, err error) {
	waits, begun := map[*chain]bool{}, time.Now()
	most, pulls := g.size(pulls)
	for ; n < most; n++ {
		if n > 0 && (a.expired() || a.held == nil && time.Since(begun) > groupEnds) {
			break
		}
		if n == len(g.units) && !(pulls && g.pull()) {
			break
		}
		u := g.units[n]
		if u.stopped(g.t) {
			break
		}
		if waits[u.chain] || u.chain.waits {
			u.wait()
			continue
		}
		g.at = u
		took, err := g.t.runUnit(g, a, u)
		g.at = nil
		if err != nil {
			return n, err
		}
		if waits[u.chain] = !u.unblocksKey(); took > groupEnds {
			return n + 1, nil
		}
	}
	return n, nil
}

// size returns the maximum number of units of the next group, and reports whether the group may take
// units from the pool.
func (g *grouping) size(pulls bool) (most int, _ bool) {
	switch {
	case len(g.sizes) > 0:
		return min(g.sizes[0], len(g.units)), false
	case g.again || g.tries > 0 || g.pause > 0 || !pulls:
		return len(g.units), false
	}
	return max(groupUnits, len(g.units)), true
}

// commit commits the writes of units together with their outcomes, and releases the units. If the
// ledger refuses a move, commit releases only the refused runs, and the other units run again.
func (g *grouping) commit(a *groupTx, units []*unit) error {
	r := g.t.rec
	runs, moves := movesOf(units, r.by.Load())
	for _, u := range units {
		switch {
		case u.lost():
			return queue.ErrLeaseLost
		case u.runs[0].since.Timeline != a.timeline:
			return errVoid
		}
	}
	if len(moves) > 0 {
		failpoint.Hit("effects")
		begun := time.Now()
		made, err := a.record(moves)
		if err != nil {
			g.doubt = true
			return err
		}
		if late := refusedOf(runs, made); len(late) > 0 {
			g.refuse(late)
			return nil
		}
		failpoint.Hit("committed")
		r.opt.OnGroup(len(moves), time.Since(begun))
		r.attest()
	}
	for _, u := range units {
		g.close(u)
	}
	if g.advance(len(units)); len(moves) > 0 {
		r.opt.OnCommit()
	}
	return nil
}

// advance removes the first `n` units, which are closed, and resets the state of the tries.
func (g *grouping) advance(n int) {
	g.units, g.again, g.tries, g.pause, g.doubt = g.units[n:], false, 0, 0, false
	if len(g.sizes) == 0 {
		return
	}
	if g.sizes[0] -= n; g.sizes[0] <= 0 {
		g.sizes = g.sizes[1:]
	}
}
