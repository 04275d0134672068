// Package recount compares the counts of a task with its rows, and repairs them.
//
// The transactions that change rows also update the counts of the task, so they agree at every
// instant. Audit verifies this. Repair corrects damage by a bug or by manual changes of the database:
// counts, error groups, feed, held rows, and the end of the task.
//
// Promise: both may run while the task runs; Repair leaves correct values unchanged.
//
// Package reconcile decides which tasks to check, and compares rows with Redis.
package recount

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Store compares and repairs tasks. Make it with New.
type Store struct {
	db     *ledger.DB
	events *events.Store
}

// New returns a store that repairs tasks in the ledger of es.
func New(es *events.Store) *Store { return &Store{db: es.DB(), events: es} }
