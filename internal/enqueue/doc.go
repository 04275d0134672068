// Package enqueue adds work from Go programs to the ledger: single jobs, also inside a transaction of
// the caller, and tasks of many rows. It is worker.Client without the types of the arguments.
//
// It promises that a job exists once the call has returned, or once the caller's transaction has
// committed. It ends at the ledger: the feeder brings rows into Redis.
package enqueue
