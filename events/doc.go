// Package events is the durable record of every job.
//
// Each job has exactly one event. Retries and resubmissions are attempts on this event. The ledger
// accepts a change of status only if the event has the expected status and attempt. A late or
// repeated write is therefore a no-op. The same transaction updates the counts of the task. After
// each transaction:
//
//	total = enqueue + working + finish + failed + error + canceled
//
//	           ┌────── interrupted, retry ──────┐
//	           ▼                                │
//	split ─▶ enqueue ──▶ working ──┬─▶ finish   │
//	  │        │  └────────────────┼─▶ failed   (a user must act)
//	  │        └─▶ canceled        ├─▶ error    (retries exhausted)
//	  └─▶ failed (invalid row,     └────────────┘
//	              or another row of its key replaces it)
//
// The package uses only SQL: no Redis, no HTTP and no files. It changes the counts in the tables of
// package tasks, but does not import the package.
//
// Package internal/decisions stores the decisions of users about rows, internal/pending reads the
// rows that a feeder pushes, and internal/recount repairs counts. The package uses
// internal/partitions for the partitions of events, and internal/paramlist for the stored form of
// params.
package events
