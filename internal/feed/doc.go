// Package feed moves rows from the ledger to the queue.
//
// Rows wait in the ledger. Redis holds only a window of them, per tenant and kind. A lane is one
// kind of one tenant. Any number of feeders serve the lanes in turn. In a lane, the task with the
// highest priority comes first; of tasks with equal priority, the oldest. Rows of one key therefore
// keep their order across tasks of equal priority. Redis holds a limited number of rows of each
// key. The other rows of the key wait in the ledger until Redis has room for the key. A slow key
// thus delays no other key.
//
// Redis carries a generation mark, and the ledger has a copy of it. If the two differ, Redis was
// emptied or replaced, or the ledger was restored. The feeder then repeats the pushes of all
// unfinished rows, in a second feeding. Each job carries the mark under which it was pushed, and the
// cancel epoch of its tenant as a suffix: see Feeder.CheckGeneration.
//
// The package uses these terms. A held row waits in the ledger although the feeder has passed it. It
// belongs to a lanes.HeldGroup, a run of held rows of one key and task. A wanted key has held rows,
// and Redis has room for more of its rows (queue.Client.Wanted). A resubmitted row has ended before, and
// a user or the service has set it back to run again. A step is one push of rows of a lane, with the
// record of the push. A delayed row has its own earliest start time.
//
// Promise: no row is lost if a feeder dies between the push of rows and the record of that push.
// The rows are pushed again and marked as redelivered: see queue.Job. Workers check such rows in the
// ledger, at the cost of one query.
//
// Package reconcile imports this package, and finds single rows on which the ledger and Redis
// disagree. Most tests of both packages are in this package, because their scenarios need a feeder.
package feed
