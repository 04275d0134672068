package middleware

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
)

// errSpoiled means that a unit without a savepoint has failed after a write, so that the
// transaction must not be committed.
var errSpoiled = errors.New("a handler failed after its first statement")

// runUnit calls the handler for a unit, and sets the outcomes of the unit's jobs. It returns the
// duration of the call, without the wait for the transaction. If all jobs have finished, the transaction
// contains the writes of the unit; otherwise it contains none of them. After an error, the transaction
// must not be committed.
func (t *tracker) runUnit(g *grouping, a *groupTx, u *unit) (took time.Duration, err error) {
	defer u.batch.Count()()
	h := &unitTx{unit: u}
	u.renew(h)
	begun := t.rec.opt.Now()
	for _, x := range u.runs {
		x.begun, x.rec = begun, t.rec
		if !x.workingNoted && a.held == nil {
			t.rec.begin(x)
		}
	}
	ctx, started := t.rec.callStarted(u.fetch, u.runs)
	defer t.rec.callReturned(started)
	if t.rec.opt.OnStart != nil {
		ctx = t.rec.opt.OnStart(ctx, callsOf(u.runs))
	}
	u.ctx = ctx
	a.enter(h, started.cancel)
	start := time.Now()
	h.slow = time.AfterFunc(groupEnds, g.markSlow)
	stack, fault := t.call(ctx, u.batch, u.runs)
	h.slow.Stop()
	took = time.Since(start) - h.waited
	lost := a.leave(h)
	u.stopAnnouncing()
	t.classifyUnit(ctx, u, fault, stack)
	if errors.Is(context.Cause(ctx), queue.ErrLeaseLost) {
		return took, queue.ErrLeaseLost
	}
	if lost != nil {
		return took, lost
	}
	return took, t.keep(a, h)
}

// classifyUnit sets the outcomes of a unit's jobs, so that the jobs end in order. The argument `err` is the
// error of the handler.
func (t *tracker) classifyUnit(ctx context.Context, u *unit, err error, stack string) {
	ended := t.rec.opt.Now()
	if len(u.runs) > 1 {
		t.linkSuperseded(u.runs)
	}
	for _, x := range u.runs {
		x.ended, x.took = ended, ended.Sub(x.begun)
		t.classify(ctx, x, err, stack)
	}
	if len(u.runs) > 1 {
		inOrder(byKey(u.runs))
	}
}

// overrule replaces the outcome of a unit's jobs by `err`, except for superseded jobs.
func (t *tracker) overrule(u *unit, err error) {
	for _, x := range u.runs {
		x.returned = false
		if x.call.SupersededBy() == nil {
			x.call.Resolve(err)
		}
	}
	t.classifyUnit(u.ctx, u, err, "")
}

// keep keeps the writes of a unit if all its jobs have finished. Otherwise it rolls back to the
// savepoint of the unit, or returns errSpoiled if the unit has no savepoint. If the database aborted the
// transaction or is unavailable, the returned error wraps the error of the database.
func (t *tracker) keep(a *groupTx, h *unitTx) error {
	u := h.unit
	if h.failed != nil && u.finished() {
		t.overrule(u, h.failed)
	}
	switch {
	case !h.used:
		return nil
	case a.held == nil: // the transaction could not begin
		return h.failed
	case u.finished() && a.careful:
		return a.held.Keep(a.ctx)
	case u.finished():
		return nil
	case !a.careful && h.failed != nil:
		return fmt.Errorf("%w: %w", errSpoiled, h.failed)
	case !a.careful:
		return errSpoiled
	case ledger.Aborted(h.failed), ledger.Unavailable(h.failed):
		return h.failed
	}
	u.undone = true
	return a.held.Undo(a.ctx)
}

// spoilScore holds a score for how often the units of a kind fail after a write. With a score of manySpoils
// or more, groups begin with savepoints.
type spoilScore struct{ n atomic.Int64 }

// A unit that fails after a write adds spoilWeight to the score; any other unit subtracts 1. The score
// stays between 0 and mostSpoils. From manySpoils on, groups begin with savepoints.
const (
	spoilWeight = 250
	manySpoils  = 500
	mostSpoils  = 2500
)

// note adds the result of a unit to the score. The argument `spoiled` reports whether the unit failed
// after a write.
func (s *spoilScore) note(spoiled bool) {
	if n := s.n.Load(); spoiled {
		s.n.Store(min(n+spoilWeight, mostSpoils))
	} else if n > 0 {
		s.n.Store(n - 1)
	}
}

// isHigh reports whether groups should begin with savepoints.
func (s *spoilScore) isHigh() bool { return s.n.Load() >= manySpoils }
