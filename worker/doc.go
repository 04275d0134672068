// Package worker is the API for Go developers. A struct and a function define a kind of job.
//
// The struct is the row: its tags name the columns of an upload and the rules for their cells. One
// definition thus parses, validates and explains a row. The function's error decides the end of the
// job: nil finishes it, Fail is a business failure that a person repairs, any other error is a
// system fault that is retried. A batch handler (DefineBatch) works on many jobs and resolves each.
// A handler of DefineTx writes to the ledger's database in the transaction that records its job:
// exactly once. A running job may log notes, set a result, report its progress, and save
// checkpoints. Package worker/workertest tests handlers under production conditions; package
// worker/rollcall embeds the service in another program.
//
//	type Product struct {
//		SKU   string          `row:"SKU" key:"true" validate:"required,max=64"`
//		Price decimal.Decimal `row:"Price" validate:"gt=0"`
//	}
//	var ImportProduct = worker.Define("products.import", save)
//
// Registry.Use wraps the handlers of all kinds in middlewares, such as one that logs each outcome:
//
//	kinds.Use(func(next queue.Handler) queue.Handler {
//		return func(ctx context.Context, b *queue.Batch) error {
//			err := next(ctx, b)
//			for _, call := range worker.Calls(ctx) {
//				slog.InfoContext(ctx, "job", "kind", call.Kind, "key", call.Key, "err", call.Outcome(err))
//			}
//			return err
//		}
//	})
//
// The package panics at start for a programmer's mistake, and never later. It runs no queue, and
// only Connect opens connections.
package worker
