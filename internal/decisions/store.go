// Package decisions stores decisions of users about failed rows, rows in error and finished rows.
//
// A decision edits, fixes, skips, accepts, reopens or resubmits a row. It is made only if the row still has
// the version that the user has seen. Decide makes the decisions of one act in one transaction. The
// transaction also changes the counts of the task, the error groups, the audit log, and the undo
// records. If a row loses its key, the next row of the key replaces it: see KeyRule. EraseRow
// deletes the contents of a row.
//
// Promise: concurrent or repeated acts resubmit each row at most once, and the counts are always
// exact.
//
// Package review validates decisions before it calls this package. Package events owns the rows, their
// state machine and their counts.
package decisions

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Store is the store of decisions. New makes a Store.
type Store struct {
	db     *ledger.DB
	events *events.Store
	now    func() time.Time
}

// New returns a store of decisions about events. It uses the ledger and the clock of `es`.
func New(es *events.Store) *Store { return &Store{db: es.DB(), events: es, now: es.Now} }
