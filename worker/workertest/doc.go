// Package workertest tests workers as production treats them.
//
// Run and CheckIdempotent run the handler of one job, without a queue or a
// record. New starts the whole service in memory, by a clock that the test moves:
// files are imported, handlers run, workers crash in the middle, jobs are
// delivered again. What runs is the code that runs in production, on a Redis in
// this process and a SQLite file in the test's folder; so what holds here holds
// there, but for what Redis and Postgres do by themselves.
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
// Nothing in it sleeps to wait for something: what is asked for is waited for,
// and a test that waits in vain fails and says what it was waiting for.
package workertest
