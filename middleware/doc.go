// Package middleware stands between the queue and a worker's handler: where
// what happens to a job is told to the ledger.
//
// It promises that an outcome is committed before the queue forgets the job,
// and recorded once: a job that comes again after a crash asks the ledger
// first, and a run that was given up for dead changes nothing when it comes
// back. Outcomes of all goroutines are committed in groups, and no handler
// waits for a commit. What handlers of worker.DefineTx write is committed with the
// outcomes of their group, or not at all.
//
//	queue ─▶ Recorder.Middleware ─▶ Registry.Use ─▶ handler
//	             ├─▶ verdict ─▶ group commit ─▶ ack
//	             └─▶ pool ─▶ group of DefineTx: handlers ─▶ verdicts ─▶ commit ─▶ ack
//
// It decides nothing about order, leases or retries (package queue), and
// nothing about counts (package events).
package middleware
