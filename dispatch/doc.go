// Package dispatch is what runs beside the jobs: it keeps the queue fed from
// the ledger, and the two in agreement, and tells listeners what becomes of
// tasks.
//
// Feeding: rows wait in the ledger; only a window of them, per tenant and
// kind, is in Redis at any time. Any number of feeders take turns, the oldest
// task of a tenant and kind first, so that the order of rows of one key holds
// across tasks. Redis holds few rows of each key; the others wait in the ledger until
// Redis has room for the key, so a slow key holds up no other. Reconciling: Redis carries a mark; when it is missing, Redis
// was wiped, and everything not at rest is fed again. Sweeping: jobs that stall
// because the two do not agree are looked up and brought back; a verification
// proves that they agree. Keeping: what is old enough is removed.
//
// Telling: whoever ends a task writes to the outbox what is to be told. Any
// number of couriers find the listeners, webhooks and Go callbacks, and try
// until each has it or is given up for all to see.
//
// Cancelling: rows that were never fed are canceled at once, those that were
// when every process knows, and what runs ends by itself or comes back.
//
// Scheduling: what is to run again and again has its task made when its time
// comes, once for each time.
//
// It promises that a feeder which dies between pushing and noting it costs
// nothing but a look into the ledger: rows pushed again are marked as such; and
// that a listener is told once per round, and again only by a process that
// takes over from one that died before it noted the answer.
package dispatch
