// Package recount compares the counts of a task with its rows, and repairs them.
//
// The counts of a task move in the transactions that change its rows, so they agree at every
// instant. Audit proves that, and Repair mends what a bug or a person with database access has
// broken: counts, error groups, feed, held rows, and the end of the task.
//
// Promise: both may run while the task is worked on; Repair changes nothing that agrees.
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
