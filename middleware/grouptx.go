package middleware

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// These are bounds on how long a group runs, and on how long a handler may keep its transaction open.
const (
	groupEnds    = 50 * time.Millisecond  // age at which a group takes no more jobs
	neighborHold = 100 * time.Millisecond // limit of a handler that joins an open transaction
	sqliteHold   = 150 * time.Millisecond // limit of a handler that began the transaction, on SQLite
	postgresHold = 10 * time.Second       // limit of a handler that began the transaction, on Postgres
)

// groupTx is one try to run units in a transaction. The transaction begins with the first statement of
// a handler. If no handler runs a statement, it begins when the outcomes are recorded.
type groupTx struct {
	rec      *Recorder
	careful  bool // each unit has a savepoint
	hold     time.Duration
	timeline int64
	ctx      context.Context // of the transaction
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	held     *events.GroupTx // nil until the transaction has begun
	opened   time.Time       // when held began

	mu      sync.Mutex
	current *unitTx
	lost    error // the reason why the transaction has ended early
}

func (r *Recorder) newGroupTx(timeline int64, careful bool) *groupTx {
	a := &groupTx{rec: r, careful: careful, hold: postgresHold, timeline: timeline}
	if r.ledger.OneWriter() {
		a.hold = sqliteHold
	}
	a.ctx, a.cancel = context.WithCancelCause(r.ctx)
	return a
}

// open begins the transaction if it has not begun yet.
func (a *groupTx) open() (err error) {
	if a.held == nil {
		a.held, err = a.rec.ledger.Begin(a.ctx)
		a.opened = time.Now()
	}
	return err
}

// end rolls back the transaction if it was not committed.
func (a *groupTx) end() {
	a.mu.Lock()
	h := a.current
	a.mu.Unlock()
	if h != nil { // the handler ended its goroutine; the timer must not roll back as well
		_ = a.leave(h)
	}
	if a.held != nil {
		a.held.Rollback()
	}
	a.cancel(nil)
}

// record commits the moves together with the writes of the units. If the ledger refuses a move,
// record commits nothing, and `made` is false for the refused moves.
func (a *groupTx) record(moves []events.Move) (made []bool, err error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	ctx, cancel := withTimeout(a.ctx)
	defer cancel()
	return a.held.Record(ctx, a.timeline, moves)
}

// expired reports whether the transaction is older than groupEnds, so that the group takes no more
// units.
func (a *groupTx) expired() bool { return a.held != nil && time.Since(a.opened) > groupEnds }

// enter lets the handler of `h` run statements in the transaction. If the transaction has already begun, the
// access of the handler ends after neighborHold. The function `stop` cancels the context of the unit's
// handler.
func (a *groupTx) enter(h *unitTx, stop context.CancelCauseFunc) {
	h.group, h.stop = a, stop
	a.mu.Lock()
	a.current = h
	a.mu.Unlock()
	if a.held != nil {
		a.endAfter(h, neighborHold)
	}
}

// endAfter ends the transaction after `d` if the unit `h` still uses it.
func (a *groupTx) endAfter(h *unitTx, d time.Duration) {
	a.timer = time.AfterFunc(d, func() { a.stopLate(h) })
}

// leave ends the access of the unit `h` to the transaction. If the transaction was lost, leave returns the
// reason.
func (a *groupTx) leave(h *unitTx) error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = nil
	return a.lost
}

// stopLate stops the handler of the unit `h` if it still uses the transaction. It ends the transaction even
// if the handler does not return.
func (a *groupTx) stopLate(h *unitTx) {
	a.mu.Lock()
	is := a.current == h
	if is {
		a.lost = jobs.ErrTxHeld
	}
	a.mu.Unlock()
	if !is {
		return
	}
	h.stop(jobs.ErrTxHeld)
	a.cancel(jobs.ErrTxHeld)
	if h.mu.TryLock() { // no statement runs
		defer h.mu.Unlock()
		if !h.closed && a.held != nil {
			a.held.Rollback()
		}
	}
}

// rollbackLost rolls back the transaction if it was lost while a statement ran.
func (a *groupTx) rollbackLost() {
	if a.lossReason() != nil {
		a.held.Rollback()
	}
}

// lossReason returns the reason why the transaction was lost, or nil if it was not lost.
func (a *groupTx) lossReason() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lost
}
