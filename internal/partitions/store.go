// Package partitions manages the partitions that hold the events of tasks.
//
// On Postgres the table of events is partitioned by ranges of task numbers, so that old events are
// removed by dropping a partition. The store creates partitions before rows need them, and drops
// them when all tasks of their range are purged. SQLite has no partitions: the store deletes rows
// in short transactions.
package partitions

import (
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Store is the store of partitions in the ledger. Make it with New.
type Store struct {
	db      *ledger.DB
	now     func() time.Time
	checked atomic.Int64 // when EnsureIn has last checked, in unix ms
}

// New returns a store on db. The function `now` returns the current time.
func New(db *ledger.DB, now func() time.Time) *Store { return &Store{db: db, now: now} }
