package middleware

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// errBusy is the error of a statement that starts while another statement of the same job runs.
var errBusy = errors.New("another statement of the job runs: a transaction runs one statement at a time")

// unitTx is the access of one handler call to the transaction of its group.
type unitTx struct {
	unit  *unit
	group *groupTx
	stop  context.CancelCauseFunc // stops the handler

	mu     sync.Mutex    // held while a statement runs
	used   bool          // the handler has run a statement
	failed error         // error of the first failed statement
	closed bool          // the handler has returned
	waited time.Duration // time that the begin of the transaction took
	slow   *time.Timer   // calls grouping.markSlow if the handler takes too long
}

// Exec runs a statement in the transaction of the group, as a method of ledger.Tx.
func (h *unitTx) Exec(ctx context.Context, text string, args ledger.Args) (rows int64, err error) {
	err = h.run(ctx, func(ctx context.Context, tx ledger.Tx) (err error) {
		rows, err = tx.Exec(ctx, text, args)
		return err
	})
	return rows, err
}

// Query runs a query in the transaction of the group, as a method of ledger.Tx.
func (h *unitTx) Query(ctx context.Context, text string, args ledger.Args, row func(ledger.Scan) error) error {
	return h.run(ctx, func(ctx context.Context, tx ledger.Tx) error { return tx.Query(ctx, text, args, row) })
}

// run runs a statement in the transaction. It begins the transaction if the statement is the first of
// the group. After an error it runs no further statement: SQLite may have ended the transaction, and
// would then commit the next statement at once.
func (h *unitTx) run(ctx context.Context, f func(context.Context, ledger.Tx) error) error {
	if err := h.group.lossReason(); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	if !h.mu.TryLock() {
		return fmt.Errorf("worker: %w", errBusy)
	}
	defer h.mu.Unlock()
	if h.closed {
		return fmt.Errorf("worker: %w", jobs.ErrTxEnded)
	}
	if h.failed == nil {
		h.failed = h.join(ctx)
	}
	if h.failed == nil {
		ctx, done := h.group.bound(ctx)
		h.failed = f(ctx, h.group.held)
		done()
		h.group.rollbackLost()
	}
	if h.failed != nil {
		return fmt.Errorf("worker: statement: %w", h.failed)
	}
	return nil
}

// join prepares a handler call for its first statement. It begins the transaction if no handler of the group
// has begun it, and sets a savepoint if the group uses savepoints. Before it begins the transaction, it stops
// the recorder from writing events as working: on SQLite such a write would wait for the transaction.
func (h *unitTx) join(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if h.used {
		return nil
	}
	h.used = true
	a := h.group
	if a.held == nil {
		begun, waiting := time.Now(), h.slow.Stop()
		h.unit.stopAnnouncing()
		if err := a.open(); err != nil {
			return err
		}
		if h.waited = time.Since(begun); waiting {
			h.slow.Reset(groupEnds)
		}
		a.endAfter(h, a.hold)
	}
	if !a.careful {
		return nil
	}
	return a.held.Save(a.ctx)
}

// bound returns a context that also ends when the transaction is canceled, and a function that
// releases it.
func (a *groupTx) bound(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.ctx, func() { cancel(context.Cause(a.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// stopAnnouncing stops the recorder from writing the events of the unit's jobs as working. It waits for
// such a write that is being committed.
func (u *unit) stopAnnouncing() {
	for _, x := range u.runs {
		x.rec.stopAnnouncing(x)
	}
}

func (r *Recorder) stopAnnouncing(x *run) {
	r.mu.Lock()
	delete(r.live, x)
	announced := x.announced
	r.mu.Unlock()
	if announced == nil {
		return
	}
	select {
	case <-announced:
	case <-r.ctx.Done():
	}
}
