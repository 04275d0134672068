package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
)

// MaxCheckpoint is the most bytes of a checkpoint as JSON.
const MaxCheckpoint = 64 << 10

// Errors that callers may test for with errors.Is.
var (
	// ErrCheckpointSize means that a checkpoint is larger than MaxCheckpoint. Nothing was saved:
	// save a position, not the data.
	ErrCheckpointSize = errors.New("checkpoint is too large")

	// ErrStale means that this run was presumed dead and another run has replaced it. Nothing was
	// saved. Stop.
	ErrStale = events.ErrStale

	// ErrUntracked means that the kind is not tracked, so its jobs have no record.
	ErrUntracked = errors.New("the kind is not tracked")
)

// Progress is the progress of a job, as its handler reports it.
type Progress = events.Progress

// Backing stores the state of a running job.
type Backing interface {
	// Load returns the checkpoint, nil if there is none. It waits for an unreachable ledger until
	// the handler's context ends.
	Load() json.RawMessage

	// Save replaces the checkpoint.
	Save(ctx context.Context, data json.RawMessage) error

	// Show stores the progress. It does not block.
	Show(p Progress)

	// Tx returns the transaction of a DefineTx job; nil for others.
	Tx() Tx
}

// Progress reports how far the job has come: done of total, 0 if unknown, and a text. The poll of a
// task with only this job shows it, within about half a second. The last call before the end
// counts. It never blocks, and may be called often, from any goroutine.
func (c *Call) Progress(done, total int64, format string, args ...any) {
	if c.Backing != nil {
		c.Backing.Show(Progress{Done: done, Total: total, Text: fmt.Sprintf(format, args...)})
	}
}

// Checkpoint returns the checkpoint of an earlier run of the job, and whether there is one. A
// checkpoint that cannot be decoded into a C counts as none. After this call, an earlier run that
// was presumed dead can save no more.
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

// Save stores c, as JSON, for the next run if a crash, a fault or a stop ends this one. It replaces
// the last checkpoint, which is deleted at the end of the job. It returns ErrCheckpointSize,
// ErrStale, ErrUntracked, or an error of the ledger; a retry may help after the latter.
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
