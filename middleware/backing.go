package middleware

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// backing is what the ledger and the screen do for a run of a handler that
// lives as long as ctx.
func (t *Tracker) backing(ctx context.Context, x *run) worker.Backing {
	if t.kind.Untracked {
		return worker.Backing{
			Save:   func(context.Context, json.RawMessage) error { return worker.ErrUntracked },
			Finish: func(context.Context, any) error { return worker.ErrUntracked },
		}
	}
	r := t.rec
	return worker.Backing{
		Load: func() json.RawMessage { return r.load(ctx, x) },
		Save: func(ctx context.Context, data json.RawMessage) error {
			x.kept.Store(true)
			_, err := r.keep(ctx, x, data)
			return err
		},
		Show:   func(p worker.Progress) { r.screen.show(x, p) },
		Finish: func(ctx context.Context, tx any) error { return r.finishIn(ctx, tx, x) },
	}
}

// load reads the checkpoint of a job and keeps older runs from changing it. A
// ledger that is away is asked again until ctx ends.
func (r *Recorder) load(ctx context.Context, x *run) json.RawMessage {
	x.kept.Store(true)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		data, err := r.keep(ctx, x, nil)
		if err == nil || errors.Is(err, events.ErrStale) {
			return data
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func (r *Recorder) keep(ctx context.Context, x *run, data json.RawMessage) (json.RawMessage, error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	return r.ledger.Keep(ctx, x.fence(), data)
}

// finishIn ends the job of a run in its handler's own transaction. What the
// recorder writes at the end of the run is refused then, and found to be so.
func (r *Recorder) finishIn(ctx context.Context, tx any, x *run) error {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	now := r.opt.Now()
	return r.ledger.FinishIn(ctx, tx, events.Move{
		ID: x.id, Row: x.row, Attempt: x.attempt + 1, Result: x.call.Kept(), Forget: x.kept.Load(),
		Notes: x.said(now), StartedAt: x.begun.UnixMilli(), FinishedAt: now.UnixMilli(),
	})
}

// fence names the run to the ledger.
func (x *run) fence() events.Run {
	return events.Run{ID: x.id, Attempt: x.attempt + 1, Token: x.call.Token, Seq: x.call.Seq}
}
