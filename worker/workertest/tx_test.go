package workertest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// sells writes each sale to a table of the ledger.
var sells = worker.DefineTx("sells", func(ctx context.Context, tx worker.Tx, job *worker.Job[sale]) error {
	_, err := tx.Exec(ctx, "INSERT INTO sales (sku) VALUES (@sku)", worker.Args{"sku": job.Args.SKU})
	if err == nil && job.Args.Note == "fail" {
		return worker.Fail("SOLD_OUT", "sold out")
	}
	return err
})

// sold counts the sales.
func sold(h *workertest.Harness) (n int) {
	h.InTx(func(ctx context.Context, tx worker.Tx) error {
		return tx.Query(ctx, "SELECT count(*) FROM sales", nil, func(scan func(dest ...any) error) error { return scan(&n) })
	})
	return n
}

// TestDefineTx_WorkersCrash_EachSaleIsThereOnce: jobs that are delivered again sell nothing.
func TestDefineTx_WorkersCrash_EachSaleIsThereOnce(t *testing.T) {
	t.Parallel()
	h := workertest.New(t, worker.NewRegistry(sells))
	h.InTx(func(ctx context.Context, tx worker.Tx) error {
		_, err := tx.Exec(ctx, "CREATE TABLE sales (sku text NOT NULL)", nil)
		return err
	})
	task := h.ImportText("sells", "SKU,Note\na,\nb,fail\nc,\nd,\n")
	h.Crash()
	task.RequireCounts(worker.Counts{Finish: 3, Failed: 1})
	if n := sold(h); n != 3 {
		t.Errorf("%d sales, want 3", n)
	}
	h.InTx(func(ctx context.Context, tx worker.Tx) error {
		workertest.Run(t, sells, sale{SKU: "e"}, workertest.In(tx)).RequireFinished()
		return nil
	})
	if n := sold(h); n != 4 {
		t.Errorf("%d sales, want 4", n)
	}
	got := failureOf(t, func(t testing.TB) { workertest.Run(t, sells, sale{SKU: "f"}) })
	if !strings.Contains(got, "pass a transaction to Run") {
		t.Errorf("got %q", got)
	}
}
