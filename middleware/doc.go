// Package middleware runs between the queue and a worker's handler, and records outcomes of jobs in
// the ledger.
//
// The outcome of a tracked job is recorded once, and committed before the queue removes the job. If
// the job is redelivered after a crash, it is checked in the ledger before it runs. The ledger
// refuses late writes of a run presumed dead. Outcomes of all goroutines are committed in groups,
// and a handler does not wait for the commit of its outcome. The writes of a worker.DefineTx
// handler are committed together with the outcome of its job, or not at all.
//
//	queue ─▶ Recorder.Middleware ─▶ Registry.Use ─▶ handler
//	             ├─▶ outcome ─▶ group commit ─▶ ack
//	             └─▶ pool ─▶ group of DefineTx: handlers ─▶ outcomes ─▶ commit ─▶ ack
//
// Package queue is responsible for order, leases and retries, and package events for counts.
package middleware
