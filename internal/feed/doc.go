// Package feed moves rows from the ledger to the queue.
//
// Rows wait in the ledger. Redis holds only a window of them, per tenant and kind. Any number of
// feeders serve the lanes in turn, the oldest task of a tenant and kind first. Rows of one key thus
// keep their order across tasks. Redis holds few rows of each key; the others wait in the ledger until
// Redis has room for the key, so a slow key delays no other.
//
// Redis carries a generation mark, of which the ledger has a copy. If the two differ, Redis was
// emptied or replaced, or the ledger was restored: the feeder then pushes every unfinished row again.
//
// Promise: if a feeder dies between the push of rows and the record of that push, the cost is one
// query of the ledger: rows that are pushed again are marked, and workers check them.
//
// Package reconcile, above it, finds single rows on which the ledger and Redis disagree. The tests of
// both packages are in this package, because each scenario needs a feeder.
package feed
