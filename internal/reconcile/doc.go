// Package reconcile makes the ledger and the queue agree.
//
// A Sweeper finds jobs that Redis lost or buried, and keys that Redis does not serve, and repairs them
// while the service runs. A Verifier reports every difference between rows, counts and Redis once, and
// repairs it on request. A Canceler cancels the rows of canceled tasks: rows that were never pushed at
// once, pushed rows when every process has read the cancel. An AbandonedCloser ends tasks whose
// program died before it had added all rows.
//
// Promise: each of them may run in any number of processes and may stop at any time; none pushes a
// row that a worker may be running.
//
// Package feed pushes rows for the first time, and again after a loss of all Redis data. Package
// retention removes old data.
package reconcile
