package workertest

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// In gives a job of Run the transaction that its handler writes to. Its caller ends the
// transaction: Run neither commits nor rolls back.
func In(tx worker.Tx) func(*worker.Call) {
	return func(c *worker.Call) { c.Backing.(backing).tx = tx }
}

// InTx runs f in a transaction on the ledger of the service, such as to create the tables
// that handlers of worker.DefineTx write to, or to read what they wrote. The transaction
// is committed if f returns nil; any error ends the test.
func (h *Harness) InTx(f func(ctx context.Context, tx worker.Tx) error) {
	h.t.Helper()
	ctx := h.t.Context()
	if err := h.boot.InTx(ctx, func(tx ledger.Tx) error { return f(ctx, tx) }); err != nil {
		h.t.Fatal(err)
	}
}
