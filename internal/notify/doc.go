// Package notify delivers notifications about tasks to webhooks, callback URLs and Go callbacks.
//
// The transactions that end tasks and fail rows write notices to the outbox. A [Deliverer], in any
// process, routes each notice to its recipients exactly once, as a notification. It attempts each
// delivery until the recipient accepts it, the attempts are used up, or its webhook is disabled. [Store]
// holds webhooks, signing secrets and the log of deliveries.
//
// Only one attempt of a delivery runs at a time. If a process dies between an attempt and its record,
// the attempt is repeated. Recipients therefore deduplicate by the id of the notification. A hanging
// endpoint does not delay others, and tenants take turns.
//
// Packages events and tasks decide when a notice is written.
package notify
