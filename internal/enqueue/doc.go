// Package enqueue adds work from Go programs to the ledger. It adds single jobs, also in a transaction
// of the caller, and tasks of many rows. Package worker wraps Client in worker.Client, and
// worker.Definition adds the types of the arguments.
//
// A job exists once the call that adds it has returned without an error, or once the caller's
// transaction has committed. The package writes only to the ledger, and a feeder moves the rows into
// Redis. Jobs of untracked kinds are the exception: they go straight to the queue.
package enqueue
