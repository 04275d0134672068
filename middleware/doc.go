// Package middleware stands between the queue and a worker's handler: where
// what happens to a job is told to the ledger.
//
// It promises that an outcome is committed before the queue forgets the job,
// and recorded once: a job that comes again after a crash asks the ledger
// first, and a run that was given up for dead changes nothing when it comes
// back. Outcomes of all goroutines are committed in groups, and no handler
// waits for a commit.
//
//	queue ─▶ Recorder.Middleware ─▶ Registry.Use ─▶ handler
//	             └─▶ verdict ─▶ group commit ─▶ ack
//
// It decides nothing about order, leases or retries (package queue), and
// nothing about counts (package events).
package middleware
