package worker

import (
	"context"
	"encoding/json"
	"fmt"
)

// Checkpoint returns the checkpoint from Save, or false if none decodes as C.
func Checkpoint[C, T any](job *Job[T]) (C, bool) {
	data := job.state().Checkpoint()
	var c, none C
	if data == nil || json.Unmarshal(data, &c) != nil {
		return none, false
	}
	return c, true
}

// Save stores c, as JSON, for the next run. It returns ErrStale if another run has replaced this one,
// ErrCheckpointSize above MaxCheckpoint, ErrUntracked for an untracked kind, and ErrInTx in a DefineTx
// handler.
func Save[C, T any](ctx context.Context, job *Job[T], c C) error {
	data, err := json.Marshal(c)
	switch {
	case err != nil:
	case len(data) > MaxCheckpoint:
		err = fmt.Errorf("%w: %d bytes, more than %d", ErrCheckpointSize, len(data), MaxCheckpoint)
	default:
		err = job.state().Save(ctx, data)
	}
	if err != nil {
		return fmt.Errorf("worker: save %s: %w", job.ID, err)
	}
	return nil
}
