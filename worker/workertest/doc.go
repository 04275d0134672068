// Package workertest tests workers under production conditions.
//
// Run and CheckIdempotent run the handler of one job, without a queue or a record. New starts the
// whole service in memory, with a clock that the test moves: files are imported, handlers run,
// workers crash, jobs are redelivered. It runs the production code on an in-process Redis and a
// SQLite file in the test's folder. Results hold in production, except for the behavior of Redis
// and Postgres.
//
//	workertest.Run(t, ImportProduct, Product{SKU: "a"}).RequireFailed("REQUIRED", "Price")
//	workertest.CheckIdempotent(t, ImportProduct, anvil, shop.Prices).RequireFinished()
//
//	h := workertest.New(t, worker.NewRegistry(ImportProduct))
//	task := h.Import("products.import", "testdata/10.xlsx")
//	h.Crash()
//	task.RequireCounts(worker.Counts{Finish: 8, Failed: 2})
//	h.Redeliver()
//	h.CheckOrder()
//
// No function sleeps a fixed time: each waits for a condition. A test that waits too long fails and
// names the condition.
package workertest
