package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// State holds the part of an event that decides whether and how its job runs.
type State struct {
	ID      ID
	TaskID  string
	Row     int // of the file
	Status  Status
	Attempt int

	// Spared is the number of attempts before the last resubmission, which do not count as retries.
	Spared int

	// Back reports whether the row waits to be fed again: Redis does not have it.
	Back bool

	// Canceling is true while the task is being canceled: a job that does not run yet must not start.
	Canceling bool

	// Resubmitted reports whether a user resubmitted the row, or its job was lost: see NoteStray. In
	// this case Key and Params are those of the row, which may have been edited. Both are empty for
	// other rows.
	Resubmitted bool
	Key         string
	Params      string

	// QueuedAt, StartedAt and Runner are those of the last attempt; zero if unknown.
	QueuedAt  int64
	StartedAt int64
	Runner    `gorm:"embedded"`

	// Stop is the last relevant older row of its lane and key, if it has died: the row must not run if
	// its kind stops keys. Stop is negative if the older row runs, or its process has ended.
	Stop ID

	// Newer is a newer row of its lane and key that has finished, if this row must not run because of
	// it: the first one, or for rows with versions the one with the greatest version. 0 means that no
	// newer row stops it.
	Newer ID
}

//go:embed sql/states.sql
var statesSQL string

// States reads the states of jobs that may have run before, or whose move was refused. Unknown ids are
// left out.
func (s *Store) States(ctx context.Context, ids []ID) (map[ID]State, error) {
	var rows []State
	err := s.db.Read.WithContext(ctx).Raw(ledger.Plain(statesSQL), map[string]any{"ids": ids}).Scan(&rows).Error
	if err == nil {
		err = RestoreParams(ctx, s.db.Reader(), rows, (*State).params)
	}
	if err != nil {
		return nil, fmt.Errorf("events: states: %w", err)
	}
	out := make(map[ID]State, len(rows))
	for _, r := range rows {
		out[r.ID] = r
	}
	return out, nil
}

var (
	//go:embed sql/hold_mark.sql
	holdMarkSQL string
	//go:embed sql/stray.sql
	straySQL string
)

// NoteStray records that the lost job of a row is about to be pushed late. Newer rows of its key may
// have finished meanwhile. From then on States judges the row like a resubmitted row. The record lasts
// until the task is done, also if Redis is emptied meanwhile.
//
// redis is the mark of the Redis that lost the job. NoteStray returns false if the caller
// must not push: the row is at rest, or feeders push all rows again under a newer mark.
func (s *Store) NoteStray(ctx context.Context, id ID, redis string) (noted bool, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		noted = false
		n, err := tx.Exec(ctx, holdMarkSQL, ledger.Args{"redis": redis})
		if err != nil || n == 0 {
			return err
		}
		n, err = tx.Exec(ctx, straySQL, ledger.Args{"num": id.Num(), "seq": id.Seq(), "id": int64(id)})
		noted = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("events: note stray %d: %w", id, err)
	}
	return noted, nil
}
