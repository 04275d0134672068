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

// errBusy is the error of a statement that starts while another of the same job runs.
var errBusy = errors.New("another statement of the job runs: a transaction serves one at a time")

// unitTx is the transaction of a group for one handler.
type unitTx struct {
	unit  *unit
	group *groupTx
	stop  context.CancelCauseFunc // stops the handler

	mu     sync.Mutex    // held while a statement runs
	used   bool          // it has run a statement
	failed error         // error of the first failed statement
	closed bool          // the handler has returned
	waited time.Duration // time to begin the transaction
	slow   *time.Timer   // stopped before the handler counts as slow
}

// Exec runs ledger.Tx.Exec.
func (h *unitTx) Exec(ctx context.Context, text string, args ledger.Args) (rows int64, err error) {
	err = h.run(ctx, func(ctx context.Context, tx ledger.Tx) (err error) {
		rows, err = tx.Exec(ctx, text, args)
		return err
	})
	return rows, err
}

// Query runs ledger.Tx.Query.
func (h *unitTx) Query(ctx context.Context, text string, args ledger.Args, row func(ledger.Scan) error) error {
	return h.run(ctx, func(ctx context.Context, tx ledger.Tx) error { return tx.Query(ctx, text, args, row) })
}

// run runs a statement, the first one after the begin of the transaction. After an error it runs no
// more: SQLite may have ended the transaction, and would commit the next statement at once.
func (h *unitTx) run(ctx context.Context, f func(context.Context, ledger.Tx) error) error {
	if err := h.group.broken(); err != nil {
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
		h.group.letGo()
	}
	if h.failed != nil {
		return fmt.Errorf("worker: statement: %w", h.failed)
	}
	return nil
}

// join makes the unit take part in the transaction. An event is written as working before this point
// or not at all: on SQLite the announcement would wait for the transaction.
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
		h.unit.hush()
		if err := a.open(); err != nil {
			return err
		}
		if h.waited = time.Since(begun); waiting {
			h.slow.Reset(groupEnds)
		}
		a.limit(h, a.hold)
	}
	if !a.careful {
		return nil
	}
	return a.held.Save(a.ctx)
}

// bound returns a context that also ends with the transaction.
func (a *groupTx) bound(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.ctx, func() { cancel(context.Cause(a.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// hush stops announcements of the runs. It waits for an open announcement.
func (u *unit) hush() {
	for _, x := range u.runs {
		x.rec.hush(x)
	}
}

func (r *Recorder) hush(x *run) {
	r.mu.Lock()
	delete(r.live, x)
	told := x.told
	r.mu.Unlock()
	if told == nil {
		return
	}
	select {
	case <-told:
	case <-r.ctx.Done():
	}
}
