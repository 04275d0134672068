// Package notify delivers notifications about tasks to webhooks, callback URLs and Go
// callbacks.
//
// The transactions that end tasks and fail rows write notifications to the outbox. A [Deliverer] of
// any process routes each notification to its recipients, exactly once. It attempts each delivery
// until the recipient has accepted it or its attempts are used up. [Store] holds webhooks, signing
// secrets and the log of deliveries.
//
// A delivery is attempted once at a time. It is repeated if a process dies between the attempt and its
// record, so recipients deduplicate by the id of the notification. A hanging endpoint does not delay
// others, and tenants take turns.
//
// Packages events and tasks decide which events send a notification.
package notify
