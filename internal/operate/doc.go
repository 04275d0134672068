// Package operate runs operators' acts on the jobs in a queue, and records them in the ledger.
//
// It promises that each job taken out of a queue ends in the ledger: a killed job as an error, a
// deleted job as canceled, a requeued job as a waiting row. The sweeper can repair the state after
// an aborted act. Jobs of untracked kinds are changed in the queue alone.
//
// An act concerns the keys of one tenant, since tenants share queues. Acts on a whole queue, such as a
// pause, are not part of this package.
package operate
