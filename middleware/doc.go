// Package middleware runs between the queue and a worker's handler, and records outcomes of jobs in
// the ledger.
//
// It promises that an outcome is committed before the queue removes the job, and recorded once. A job
// redelivered after a crash is first checked in the ledger, and late writes of a run presumed dead are
// refused. Outcomes of all goroutines are committed in groups, and no handler waits for a commit. The
// writes of handlers of worker.DefineTx are committed with the outcomes of their group, or not at all.
//
//	queue ─▶ Recorder.Middleware ─▶ Registry.Use ─▶ handler
//	             ├─▶ verdict ─▶ group commit ─▶ ack
//	             └─▶ pool ─▶ group of DefineTx: handlers ─▶ verdicts ─▶ commit ─▶ ack
//
// Package queue decides about order, leases and retries, and package events about counts.
package middleware
