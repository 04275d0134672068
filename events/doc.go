// Package events is the durable record of every job.
//
// One job, one event, for ever: retries and resubmissions are attempts on the same event. A change of
// status is accepted only if the event has the expected status and attempt, so a late or repeated
// write is a no-op. The same transaction updates the counts of the task, so that at every instant
//
//	total = enqueue + working + finish + failed + error + canceled
//
//	           ┌────── interrupted, retry ──────┐
//	           ▼                                │
//	split ─▶ enqueue ──▶ working ──┬─▶ finish   │
//	  │        │  └────────────────┼─▶ failed   (a person must act)
//	  │        └─▶ canceled        ├─▶ error    (retries exhausted)
//	  ├─▶ failed (invalid row)     └────────────┘
//	  └─▶ finish (another row counts instead)
//
// The package uses SQL only: no Redis, no HTTP, no file. It changes the counts in the tables of
// package tasks, which it does not import.
//
// Packages above it write the decisions of users about rows (internal/decisions), read the rows that a
// feeder pushes (internal/pending), and repair counts (internal/recount). Packages below it manage the
// partitions of events (internal/partitions) and the stored form of params (internal/paramlist).
package events
