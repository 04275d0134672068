// Package recount compares the counts of a task with its rows, and repairs them.
//
// The transactions that change rows also update the counts of the task, so rows and counts agree. Audit
// verifies this. After a bug or a manual change of the database, Repair corrects counts, error groups, the
// feed (the record of the feeder) and held rows. It ends the task if no work is left, and reopens a done
// task with rows that are not at rest.
//
// Audit and Repair may run while the task runs. Repair leaves correct values unchanged.
//
// Package reconcile decides which tasks to check, and compares rows with Redis.
package recount

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Store is the store whose tasks Audit compares and Repair corrects. Make it with New.
type Store struct {
	db     *ledger.DB
	events *events.Store
}

// New returns a store that repairs tasks in the ledger of es.
func New(es *events.Store) *Store { return &Store{db: es.DB(), events: es} }
