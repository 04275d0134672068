// Package workertest tests workers under production conditions.
//
// Run and CheckIdempotent run the handler of one job, without a queue or a ledger. New starts the
// whole service in the test's process, with a clock that the test moves. The test can then import
// files, crash workers and redeliver jobs. The service is the production code on an in-process
// Redis and a SQLite file in the test's folder. Only the behavior of a real Redis and of Postgres
// is not tested.
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
// No function sleeps for a fixed time: each waits for a condition. If the wait takes longer than a
// minute, the test fails with a message that names the condition.
package workertest
