// Package worker is what a Go developer writes against: a kind of job, defined
// once by a struct and a function.
//
// The struct is the row: its tags name the columns of an upload and the rules
// for their cells, so that one definition parses, validates and explains
// itself. The function's error says what becomes of the job: nil finishes it,
// Fail is a business failure that a person repairs, anything else is a system
// fault that is retried. A batch handler (DefineBatch) works on many jobs and
// gives each its own end. A handler of DefineTx writes to the ledger's database in the
// transaction that records its job: exactly once. While it runs, a job may note lines and a
// result, show its progress, and save where to go on after a crash. Package worker/workertest tests handlers as production
// treats them; package worker/rollcall runs the service in a program of one's own.
//
//	type Product struct {
//		SKU   string          `row:"SKU" key:"true" validate:"required,max=64"`
//		Price decimal.Decimal `row:"Price" validate:"gt=0"`
//	}
//	var ImportProduct = worker.Define("products.import", save)
//
// Registry.Use wraps the handlers of all kinds in middlewares, such as one that
// logs each outcome:
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
// The package promises a panic at start for a programmer's mistake, and never
// one later. It runs no queue and opens no connection.
package worker
