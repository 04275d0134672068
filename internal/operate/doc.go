// Package operate is what operators do to the jobs in a queue, told to the ledger.
//
// It promises that each job an act takes out of a queue ends in the ledger as
// what was done to it: killed as an error, deleted as canceled, requeued as a
// row that waits again; and that an act that breaks off leaves what the sweeper
// can tell. Jobs of kinds that are not tracked are acted on in the queue alone.
//
// An act is about the keys of one tenant: queues are shared, their jobs are not.
// What concerns a queue as a whole, such as a pause, is no matter of this package.
package operate
