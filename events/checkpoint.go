package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

var (
	//go:embed sql/checkpoint.sql
	checkpointSQL string
	//go:embed sql/forget.sql
	forgetSQL string
	//go:embed sql/progress.sql
	progressSQL string
)

// ErrStale means that another run has taken over the job, or that the job is at rest. Nothing was
// changed, and the caller must stop.
var ErrStale = errors.New("another run has taken over")

// Run is one run of a job. The pair of Token and Seq is higher for each later run. SaveCheckpoint
// rejects older runs.
type Run struct {
	ID         ID
	Attempt    int // from 1
	Token, Seq int64
}

// SaveCheckpoint replaces the checkpoint of a job with the JSON in `data`, unless `data` is empty. It
// returns the stored checkpoint, or nil if there is none. It returns ErrStale if a later run has taken
// over, or if the job is at rest. It returns ErrValueRejected if the database rejects a value. After a
// call for a run, calls for older runs of the job return ErrStale.
func (s *Store) SaveCheckpoint(ctx context.Context, r Run, data json.RawMessage) (kept json.RawMessage, err error) {
	var text *string
	current, err := ledger.Row(ctx, s.db.Writer(), checkpointSQL, ledger.Args{
		"id": int64(r.ID), "attempt": r.Attempt, "token": r.Token, "seq": r.Seq,
		"data": textutil.Optional(string(data)),
	}, &text)
	if err == nil && !current {
		err = ErrStale
	}
	if err != nil {
		return nil, fmt.Errorf("events: checkpoint of %d: %w", r.ID, ValueRejected(err))
	}
	if text == nil {
		return nil, nil
	}
	return json.RawMessage(*text), nil
}

// ForgetCheckpoints deletes the checkpoints of all jobs with ids from `low` to `high`, both
// included.
func ForgetCheckpoints(ctx context.Context, tx ledger.Tx, low, high ID) error {
	_, err := tx.Exec(ctx, forgetSQL, ledger.Args{"low": int64(low), "high": int64(high)})
	return err
}

// Progress is the progress of a job.
type Progress struct {
	Done, Total int64  // in units of the handler; Total is 0 if unknown
	Text        string // for users; truncated to 500 bytes
}

// maxProgress is the limit in bytes to which a progress text is truncated.
const maxProgress = 500

// Progress stores the progress of a run whose job is the only job of its task. It is a no-op for other
// jobs, for a job at rest, and if the job has a later attempt.
func (s *Store) Progress(ctx context.Context, r Run, p Progress) error {
	_, err := s.db.Writer().Exec(ctx, progressSQL, ledger.Args{
		"num": r.ID.Num(), "id": int64(r.ID), "attempt": r.Attempt,
		"done": max(p.Done, 0), "total": max(p.Total, 0), "text": storable(p.Text, maxProgress),
	})
	if err != nil {
		return fmt.Errorf("events: progress of %d: %w", r.ID, err)
	}
	return nil
}
