// Package reconcile finds and repairs differences between the ledger and the queue.
//
// A Sweeper finds jobs that Redis has lost or moved to the morgue, and waiting keys that are in no list of
// Redis. It repairs them while the service runs, and it repairs wrong counts of tasks that have nothing to
// run. A Verifier checks rows, counts and Redis once, and reports every difference. On request it repairs the
// differences that it can repair. A Canceler cancels the rows of canceled tasks. Rows that were never pushed
// are canceled at once, and pushed rows when every process has read the cancel. An AbandonedCloser closes
// tasks whose programs died before all rows were added.
//
// Any number of processes may run each of these types, and each may stop at any time. They push no row that a
// worker may be running.
//
// Package feed pushes rows for the first time, and again after a loss of all Redis data. Package
// retention removes old data.
package reconcile
