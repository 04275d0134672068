// Package pending reads the rows that a feeder pushes to the queue next.
//
// The package reads pages that are bounded in rows and bytes. A page holds one sort of rows: rows in the
// order of their file, resubmitted rows, or held rows. The package also finds rows whose jobs were lost. It
// changes no rows.
//
// Package feed decides which rows to read, and pushes them; package events owns the rows.
package pending

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Store is a reader of rows. Make it with New.
type Store struct{ db *ledger.DB }

// New returns a store that reads the events of es.
func New(es *events.Store) *Store { return &Store{es.DB()} }
