// Package events is the durable record of every job.
//
// One job, one event, for ever: retries and resubmissions are attempts on the
// same event. A change of status is accepted only from the status and attempt
// it was made for, so a late or repeated write changes nothing; and the same
// transaction moves the counts of the task, so that at every instant
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
// Packages on top of it write what people decide about rows (internal/decisions), read the rows
// that a feeder pushes (internal/pending), and repair counts (internal/recount). Below it,
// internal/partitions keeps the partitions of events, and internal/paramlist the form of params.
package events
