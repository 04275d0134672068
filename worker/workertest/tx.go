package workertest

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// InTx runs f in a transaction on the ledger of the service, for example to create or read tables
// of worker.DefineTx handlers. It commits if f returns nil. Any error ends the test.
func (h *Harness) InTx(f func(ctx context.Context, tx worker.Tx) error) {
	h.t.Helper()
	ctx := h.t.Context()
	if err := h.boot.InTx(ctx, func(tx ledger.Tx) error { return f(ctx, tx) }); err != nil {
		h.t.Fatal(err)
	}
}

// tenantOf returns the tenant of a task, or "default" if the task does not exist.
func (h *Harness) tenantOf(id string) string {
	h.t.Helper()
	tenant := "default"
	h.InTx(func(ctx context.Context, tx worker.Tx) error {
		const text = "SELECT tenant FROM rollcall.tasks WHERE id = @id"
		_, err := ledger.Row(ctx, tx, text, ledger.Args{"id": id}, &tenant)
		return err
	})
	return tenant
}
