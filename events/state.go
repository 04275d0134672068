package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// State holds the values that decide whether and how the job of an event runs.
type State struct {
	ID      ID
	TaskID  string
	Row     int // of the file
	Status  Status
	Attempt int

	// Spared is the number of attempts before the last resubmission. They do not count as retries.
	Spared int

	// Back reports whether the row waits to be fed again. Redis then does not have it.
	Back bool

	// Canceling reports whether the task is being canceled. A job that does not run yet must then
	// not start.
	Canceling bool

	// Resubmitted reports whether a user resubmitted the row, or NoteStray recorded that Redis lost its
	// job. Key and Params are set only in these cases. They hold the current values of the row, which a
	// user may have edited.
	Resubmitted bool
	Key         string
	Params      string

	// QueuedAt, StartedAt and Runner describe the last attempt. They are zero if unknown.
	QueuedAt  int64
	StartedAt int64
	Runner    `gorm:"embedded"`

	// Stop is the id of the last older row of the same lane and key, if that row is in Error. The row of
	// this State must then not run if the kind stops keys after an error. If the older row is Working, Stop
	// is its negative id. Otherwise, and for a row at rest, Stop is 0. Stop ignores older rows that wait,
	// failed, or were canceled, skipped or accepted. It considers only the last 100 older rows.
	Stop ID

	// Newer is the id of a finished row that replaces this row, so that this row must not run. Both rows have
	// the same lane and key. The finished row is newer or, if this row has a version, has the greatest
	// version. 0 means that no finished row replaces this row.
	Newer ID
}

//go:embed sql/states.sql
var statesSQL string

// States returns the states of jobs, by event id. Callers need these states for jobs that may have run
// before, and for jobs whose move was refused. States omits unknown ids.
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

// Feeding holds the fields of State that show whether a row waits in the ledger or was fed.
type Feeding struct {
	ID          ID
	Status      Status
	Attempt     int
	Back        bool
	Resubmitted bool
}

//go:embed sql/feeding.sql
var feedingSQL string

// Feeding returns a Feeding for each row, by id. It omits unknown ids. It costs less than States, which
// also reads other rows of each key.
func (s *Store) Feeding(ctx context.Context, ids []ID) (map[ID]Feeding, error) {
	var rows []Feeding
	err := s.db.Read.WithContext(ctx).Raw(ledger.Plain(feedingSQL), map[string]any{"ids": ids}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("events: feeding: %w", err)
	}
	out := make(map[ID]Feeding, len(rows))
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

// NoteStray records that the caller is about to push the lost job of a row again. Newer rows of its key
// may have finished since the job was lost. Therefore, States treats the row like a resubmitted row from
// then on. The record lasts until the task is done, even if Redis loses its data again.
//
// The argument `redis` is the generation mark of the Redis that lost the job. NoteStray returns false if
// the caller must not push the job. In that case the row is at rest, or Redis has a newer mark and
// feeders push all rows again.
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
