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
// The package knows SQL and nothing else: no Redis, no HTTP, no file. It
// changes the counts in the tables of package tasks, which it does not import.
package events
