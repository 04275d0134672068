// Package reconcile finds and repairs differences between the ledger and the queue.
//
// A Sweeper finds jobs that Redis has lost or moved to the morgue, and waiting keys that are in no
// list of Redis. It repairs them while the service runs, and it repairs wrong counts of tasks that
// have nothing to run. A Verifier checks rows, counts and Redis once, and reports every difference.
// On request it repairs the differences that it can repair. A Canceler cancels the rows of canceled
// tasks. Rows that were never pushed are canceled at once, and pushed rows when every process has
// read the cancel. An AbandonedCloser ends tasks whose program died before it had added all rows.
//
// Promise: each of these may run in any number of processes and may stop at any time. None pushes
// a row that a worker may be running.
//
// Package feed pushes rows for the first time, and again after a loss of all Redis data. Package
// retention removes old data.
package reconcile
