// Package dispatch is what runs beside the jobs: it keeps the queue fed from
// the ledger, and the two in agreement.
//
// Feeding: rows wait in the ledger; only a window of them, per tenant and
// kind, is in Redis at any time. Any number of feeders take turns, the oldest
// task of a tenant and kind first, so that the order of rows of one key holds
// across tasks. Reconciling: Redis carries a mark; when it is missing, Redis
// was wiped, and everything not at rest is fed again.
//
// It promises that a feeder which dies between pushing and noting it costs
// nothing but a look into the ledger: rows pushed again are marked as such.
package dispatch
