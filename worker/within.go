package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
)

// MaxCheckpoint is the most bytes that a checkpoint may have as JSON.
const MaxCheckpoint = 64 << 10

// Errors that callers may test for with errors.Is.
var (
	// ErrCheckpointSize means that a checkpoint is larger than MaxCheckpoint.
	// Nothing was saved: keep a position, not the data.
	ErrCheckpointSize = errors.New("checkpoint is too large")

	// ErrStale means that this run was given up for dead and another has taken
	// the job over. Nothing was saved. Stop.
	ErrStale = events.ErrStale

	// ErrUntracked means that the kind is not tracked, so that nothing can be
	// kept for its jobs.
	ErrUntracked = errors.New("the kind is not tracked")
)

// Progress is how far a job has come, as its handler says.
type Progress = events.Progress

// Backing is what stands behind a running job.
type Backing interface {
	// Load reads the checkpoint, nil if there is none. It waits for a ledger
	// that is away as long as the handler's context lives.
	Load() json.RawMessage

	// Save replaces the checkpoint.
	Save(ctx context.Context, data json.RawMessage) error

	// Show takes the progress. It does not wait.
	Show(p Progress)

	// Tx returns the transaction of a job whose kind is of DefineTx; nil for others.
	Tx() Tx
}

// Progress tells how far the job has come: done of total, 0 if it is not
// known, and a text. The poll of a task that has only this job shows it,
// within about half a second; the last call before the end counts. It never
// waits, and may come as often as one likes, from any goroutine.
func (c *Call) Progress(done, total int64, format string, args ...any) {
	if c.Backing != nil {
		c.Backing.Show(Progress{Done: done, Total: total, Text: fmt.Sprintf(format, args...)})
	}
}

// Checkpoint returns what an earlier run of the job has saved, and whether it
// did. What cannot be read into a C, as after a change of the type, counts as
// nothing saved. From then on a run that was given up for dead can save no
// more.
func Checkpoint[C, T any](job *Job[T]) (C, bool) {
	data := job.saved
	if job.Backing != nil {
		data = job.Backing.Load()
	}
	var c, none C
	if data == nil || json.Unmarshal(data, &c) != nil {
		return none, false
	}
	return c, true
}

// Save keeps c, as JSON, for the run that goes on if this one is cut off by a
// crash, a fault or a stop. It replaces what was saved before, and is deleted
// when the job comes to rest. It returns ErrCheckpointSize, ErrStale,
// ErrUntracked, or an error of the ledger; trying again may then help.
func Save[C, T any](ctx context.Context, job *Job[T], c C) error {
	data, err := json.Marshal(c)
	switch {
	case err != nil:
	case len(data) > MaxCheckpoint:
		err = fmt.Errorf("%w: %d bytes, more than %d", ErrCheckpointSize, len(data), MaxCheckpoint)
	case job.Backing == nil:
		job.saved = data
	default:
		err = job.Backing.Save(ctx, data)
	}
	if err != nil {
		return fmt.Errorf("worker: save %s: %w", job.ID, err)
	}
	return nil
}
