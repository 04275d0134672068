// Package dispatch keeps the queue fed from the ledger, and the two consistent.
//
// Feeding: rows wait in the ledger. Redis holds only a window of them, per tenant and kind. Any
// number of feeders take turns, the oldest task of a tenant and kind first, so the order of the
// rows of one key holds across tasks. Redis holds few rows of each key; the others wait in the
// ledger until Redis has room for the key, so a slow key delays no other.
//
// Reconciling: Redis holds a generation mark. If it is missing, Redis was wiped, and everything
// that has not ended is fed again. Sweepers find jobs on which the queue and the ledger
// disagree and repair them; a verification reports whether the two agree.
//
// Cancelling: rows that were never fed are canceled at once, and the others when every process
// knows of the cancel. Running rows end by themselves or come back.
//
// Promise: a feeder that dies between pushing rows and recording it costs one query of the
// ledger, for rows that are pushed again are marked as such.
//
// Beside it, internal/notify delivers notifications, internal/schedules creates the tasks of
// schedules, and internal/retention removes what is old.
package dispatch
