package events

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/record.sql
	recordSQL string
	//go:embed sql/record_sqlite.sql
	recordSQLiteSQL string
)

// errIllegal is a programmer's mistake: see Move.Legal.
var errIllegal = errors.New("move is not allowed by the state machine")

// Record makes all moves that still apply and moves the counts of their tasks
// by these, in one transaction; the last job to come to rest ends its task.
// It tells which moves were made: the others came late, and changed and
// counted nothing. Of several moves of one event, only the first is tried.
func (s *Store) Record(ctx context.Context, moves []Move) (made []bool, err error) {
	first, err := unique(moves)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		ids, err := s.move(ctx, tx, first)
		if err != nil {
			return err
		}
		made = make([]bool, len(moves))
		for i, m := range moves {
			made[i] = ids[m.ID]
			delete(ids, m.ID)
		}
		var changes []change
		for _, m := range first {
			if !made[m.at] {
				continue
			}
			changes = append(changes, m.change())
			if m.Forget && m.To.Rest() {
				if err := forget(ctx, tx, m.ID, m.ID); err != nil {
					return err
				}
			}
		}
		if err := s.count(ctx, tx, changes); err != nil {
			return err
		}
		return s.groups(ctx, tx, changes)
	})
	if err != nil {
		return nil, fmt.Errorf("events: record %d moves: %w", len(moves), unfit(err))
	}
	return made, nil
}

// unfit marks an error of the ledger that says: these values, whenever.
func unfit(err error) error {
	if ledger.Unfit(err) {
		return fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	return err
}

// unique leaves out all but the first move of each event, and makes the rest
// storable.
func unique(moves []Move) ([]Move, error) {
	seen := make(map[ID]bool, len(moves))
	out := make([]Move, 0, len(moves))
	for i, m := range moves {
		if !m.Legal() {
			return nil, fmt.Errorf("events: record %d: %s to %s: %w", m.ID, m.From, m.To, errIllegal)
		}
		if m.Failure != nil {
			f := m.Failure.clean()
			m.Failure = &f
		}
		if !seen[m.ID] {
			seen[m.ID] = true
			m.at = i
			out = append(out, m)
		}
	}
	return out, nil
}

// move updates the events and returns the ids of those that were moved.
func (s *Store) move(ctx context.Context, tx ledger.Tx, moves []Move) (map[ID]bool, error) {
	ids := make(map[ID]bool, len(moves))
	if lite, ok := tx.(ledger.Repeater); ok {
		return ids, repeat(ctx, lite, moves, ids)
	}
	err := tx.Query(ctx, recordSQL, columns(moves), func(scan ledger.Scan) error {
		var id ID
		err := scan(&id)
		ids[id] = true
		return err
	})
	return ids, err
}

// repeat is SQLite's way: a statement for each move.
func repeat(ctx context.Context, tx ledger.Repeater, moves []Move, ids map[ID]bool) error {
	rows := make([][]any, len(moves))
	for i, m := range moves {
		rows[i] = m.values()
	}
	touched, err := tx.Repeat(ctx, recordSQLiteSQL, rows)
	for i, t := range touched {
		ids[moves[i].ID] = t
	}
	return err
}

// columns are moves as one array for each column of record.sql.
func columns(moves []Move) ledger.Args {
	names := [...]string{
		"ids", "from_status", "from_attempt", "status", "attempt", "code", "col", "value",
		"message", "hint", "fields", "result", "note", "queued_at", "started_at",
		"finished_at", "next_run_at",
	}
	cols := make([][]any, len(names))
	for i := range cols {
		cols[i] = make([]any, len(moves))
	}
	for r, m := range moves {
		for c, v := range m.values() {
			cols[c][r] = v
		}
	}
	args := ledger.Args{}
	for i, name := range names {
		args[name] = cols[i]
	}
	return args
}
