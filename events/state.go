package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// State is where an event stands, as far as running it is concerned.
type State struct {
	ID      ID
	TaskID  string
	Row     int // of the file
	Status  Status
	Attempt int

	// Spared is how many of the attempts are no retries: those before the last
	// resubmission.
	Spared int

	// Back reports that the row waits to be fed once more: Redis does not have it.
	Back bool

	// Canceling tells that the task is being canceled: a job that does not run
	// yet must not begin.
	Canceling bool

	// Resubmitted reports that a person resubmitted the row, or that its job was lost: see
	// NoteStray. Then Key and Params are those of the row, which may have been edited. Both
	// are empty for other rows.
	Resubmitted bool
	Key         string
	Params      string

	// QueuedAt, StartedAt and Runner are those of the last attempt; zero if unknown.
	QueuedAt  int64
	StartedAt int64
	Runner    `gorm:"embedded"`

	// Newer is the first newer row of its lane and key that has finished, if the
	// row must not run because of that: it is superseded. 0: it may run.
	Newer ID
}

//go:embed sql/states.sql
var statesSQL string

// States asks the ledger where jobs stand: those that may have run before, and
// those whose move was refused. Unknown ids are left out.
func (s *Store) States(ctx context.Context, ids []ID) (map[ID]State, error) {
	var rows []State
	err := s.db.Read.WithContext(ctx).Raw(ledger.Plain(statesSQL), map[string]any{"ids": ids}).Scan(&rows).Error
	if err == nil {
		err = inFull(ctx, s.db.Reader(), rows, (*State).params)
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
