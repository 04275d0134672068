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

// errSpoiled means that a unit without a savepoint has failed after a write.
var errSpoiled = errors.New("a handler failed behind its first statement")

// runUnit calls the handler for a unit, and judges its jobs. It returns the duration without the wait
// for the transaction. After an error the transaction cannot be committed. Without an error, it holds
// the effects of the unit if and only if the jobs have finished.
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
	ctx, flight := t.rec.callStarted(u.fetch, u.runs)
	defer t.rec.callReturned(flight)
	if t.rec.opt.OnStart != nil {
		ctx = t.rec.opt.OnStart(ctx, callsOf(u.runs))
	}
	u.ctx = ctx
	a.enter(h, flight.cancel)
	start := time.Now()
	h.slow = time.AfterFunc(groupEnds, g.slow)
	stack, fault := t.call(ctx, u.batch, u.runs)
	h.slow.Stop()
	took = time.Since(start) - h.waited
	lost := a.leave(h)
	u.hush()
	t.judgeUnit(ctx, u, fault, stack)
	if errors.Is(context.Cause(ctx), queue.ErrLeaseLost) {
		return took, queue.ErrLeaseLost
	}
	if lost != nil {
		return took, lost
	}
	return took, t.keep(a, h)
}

// judgeUnit sets the verdicts of a unit's jobs.
func (t *tracker) judgeUnit(ctx context.Context, u *unit, err error, stack string) {
	ended := t.rec.opt.Now()
	if len(u.runs) > 1 {
		t.linkSuperseded(u.runs)
	}
	for _, x := range u.runs {
		x.ended, x.took = ended, ended.Sub(x.begun)
		t.judge(ctx, x, err, stack)
	}
	if len(u.runs) > 1 {
		inOrder(byKey(u.runs))
	}
}

// overrule makes err the outcome of a unit's jobs, whatever the handler returned.
func (t *tracker) overrule(u *unit, err error) {
	for _, x := range u.runs {
		x.returned = false
		if x.call.SupersededBy() == nil {
			x.call.Resolve(err)
		}
	}
	t.judgeUnit(u.ctx, u, err, "")
}

// keep keeps the writes of a unit if its jobs have finished. Otherwise it undoes them if the unit
// has a savepoint.
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
	case ledger.BrokenOff(h.failed), ledger.Away(h.failed):
		return h.failed
	}
	u.undone = true
	return a.held.Undo(a.ctx)
}

// spoils counts how often groups of a kind fail without savepoints. Above a bound, the next groups
// begin with savepoints.
type spoils struct{ n atomic.Int64 }

// The count of spoils stays between 0 and mostSpoils; from manySpoils on, groups begin with
// savepoints.
const (
	spoilWeight = 250
	manySpoils  = 500
	mostSpoils  = 2500
)

// note counts a unit. spoiled reports whether the unit has spoiled its group.
func (s *spoils) note(spoiled bool) {
	if n := s.n.Load(); spoiled {
		s.n.Store(min(n+spoilWeight, mostSpoils))
	} else if n > 0 {
		s.n.Store(n - 1)
	}
}

// often reports whether groups should begin with savepoints.
func (s *spoils) often() bool { return s.n.Load() >= manySpoils }
