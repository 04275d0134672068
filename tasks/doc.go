// Package tasks stores the tasks of the ledger.
//
// A task is one upload, one export or one batch of a program, owned by a tenant. Its record holds
// the counts of its events, so that a poll or a list reads one record and does not count events.
// Package events changes the counts in the transaction that changes the events. Package tasks
// creates and reads tasks. It also assigns background work on them to processes: reading files,
// planning and merging exports, and canceling. Package internal/lanes assigns the feeding of events
// to the queue.
//
//	open ─▶ splitting ─▶ running ─▶ finished | finished_with_failures | failed
//	   ⇅        ⇅           ⇅
//	         paused            any of these four ─▶ canceling ─▶ canceled
//
// The package uses only SQL: no Redis, no HTTP and no files.
package tasks
