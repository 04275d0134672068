// Package operate runs operators' actions on the jobs in a queue, and records them in the ledger.
//
// The ledger records each job that an operator takes out of a queue. The row of a killed job is in error, and
// the row of a deleted job is canceled. The row of a requeued job waits again. The sweeper can repair the
// state after an aborted action. Jobs of untracked kinds change only in the queue.
//
// An action concerns the keys of one tenant, since tenants share queues. Actions on a whole queue, such
// as a pause, are not part of this package.
//
// Other types of the package execute further actions. Tenants lists, exports and removes tenants. Makers
// revokes API keys and users, with the API keys, schedules and webhooks that they made. A Runner resubmits
// the corrected rows of due acts.
package operate
