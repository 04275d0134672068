// Package tasks keeps the rows of the ledger that stand for whole batches.
//
// A task is one upload, one export or one programmatic batch, owned by a
// tenant. Its row carries the counts of its events, so that a poll or a list
// reads one row and counts nothing. Counts are changed only by package
// events, in the transaction that changes the events; this package creates
// tasks, reads them, and hands out the kinds of background work on them:
// splitting a file into events, feeding events to the queue, and cancelling.
//
//	open ─▶ splitting ─▶ running ─▶ finished | finished_with_failures | failed
//	   ⇅        ⇅           ⇅
//	         paused            any of these four ─▶ canceling ─▶ canceled
//
// The package uses SQL only: no Redis, no HTTP, no file.
package tasks
