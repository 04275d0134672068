package middleware

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// loadTimeout is the longest time for one try to read a checkpoint. A handler that must stop does not
// wait longer for an unresponsive ledger.
const loadTimeout = 5 * time.Second

// setServices sets the CallServices of a run's job: the services that the handler may use. The argument `ctx`
// is the context of the handler.
func (t *tracker) setServices(ctx context.Context, x *run) {
	if t.kind.Untracked {
		x.call.Services = untrackedServices{}
		return
	}
	x.rec, x.over = t.rec, ctx.Done()
	if x.call.Services = (tracked{x}); t.kind.Tx {
		x.call.Services = inTx{tracked{x}}
	}
}

// untrackedServices is the CallServices of jobs without a task, which have no checkpoint, progress or
// transaction.
type untrackedServices struct{}

func (untrackedServices) Load() json.RawMessage                       { return nil }
func (untrackedServices) Save(context.Context, json.RawMessage) error { return jobs.ErrUntracked }
func (untrackedServices) Show(events.Progress)                        {}
func (untrackedServices) Tx() ledger.Tx                               { return nil }

// tracked is the CallServices of a job that has a task. It uses the ledger and the progress writer.
type tracked struct{ *run }

// Load returns the stored checkpoint, or nil if there is none or another run has taken over. While
// the ledger fails, Load retries until the handler's context ends, and then returns nil.
func (x tracked) Load() json.RawMessage {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		ctx, cancel := context.WithTimeout(x.rec.ctx, loadTimeout)
		data, err := x.keep(ctx, nil)
		cancel()
		if err == nil || errors.Is(err, events.ErrStale) {
			return data
		}
		select {
		case <-x.over:
			return nil
		case <-time.After(pause):
		}
	}
}

func (x tracked) Save(ctx context.Context, data json.RawMessage) error {
	_, err := x.keep(ctx, data)
	return err
}

func (x tracked) Show(p events.Progress) { x.rec.progress.show(x.run, p) }

// Tx returns nil, since the kind has no transaction.
func (tracked) Tx() ledger.Tx { return nil }

// inTx is the CallServices of a job that writes in the transaction of its group. It has no checkpoints: their
// writes would be outside of the transaction, and on SQLite would wait for its end.
type inTx struct{ tracked }

// Tx returns the transaction of the group.
func (x inTx) Tx() ledger.Tx { return x.tx }

func (inTx) Load() json.RawMessage { return nil }

func (inTx) Save(context.Context, json.RawMessage) error { return jobs.ErrInTx }

func (x tracked) keep(ctx context.Context, data json.RawMessage) (json.RawMessage, error) {
	x.kept.Store(true)
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	return x.rec.ledger.SaveCheckpoint(ctx, x.fence(), data)
}

// fence returns the identity of the run. By this identity, the ledger refuses writes of older runs
// of the job.
func (x *run) fence() events.Run {
	return events.Run{ID: x.id, Attempt: x.attempt + 1, Token: x.call.Token, Seq: x.call.Seq}
}
