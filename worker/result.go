package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Result is the result of a job, as JSON. It is empty without a result.
type Result json.RawMessage

// ResultOf decodes the result of a Call or Run, and returns its error:
//
//	price, err := worker.ResultOf[Price](Quote.Call(ctx, args))
func ResultOf[R any](r Result, err error) (out R, _ error) {
	if err != nil || len(r) == 0 {
		return out, err
	}
	if err := json.Unmarshal(r, &out); err != nil {
		return out, fmt.Errorf("worker: result: %w", err)
	}
	return out, nil
}

// Run enqueues one job, waits, and returns its result. It returns the *Failure of a failed job,
// ErrDead for a job in error, and ErrCanceled for a canceled job. The job outlives ctx. In a
// handler, run no jobs of the handler's key.
func (d *Definition[T]) Run(ctx context.Context, c *Client, args T, opts ...EnqueueOption) (Result, error) {
	if d.kind.Untracked {
		return nil, fmt.Errorf("worker: run %s: %w", d.kind.Name, ErrUntracked)
	}
	w, row, err := d.prepare(c, args, opts)
	if err != nil {
		return nil, err
	}
	ref, err := c.inner.Add(ctx, d.kind, w, row)
	if err != nil {
		return nil, err
	}
	e, err := c.await(ctx, ref.Event)
	if err != nil {
		return nil, fmt.Errorf("worker: run %s: %w", ref.ID, err)
	}
	return resultOf(e)
}

// await reads a job repeatedly until it is at rest.
func (c *Client) await(ctx context.Context, id events.ID) (*events.Event, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		e, err := c.inner.Event(ctx, id)
		if err != nil || e.Status.AtRest() {
			return e, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// resultOf returns the result or the error of an ended job.
func resultOf(e *events.Event) (Result, error) {
	var result Result
	if e.Result != nil {
		result = Result(*e.Result)
	}
	switch e.Status {
	case events.Failed:
		return result, failureOf(rowschema.Invalid(e.Faults()))
	case events.Error:
		fault := ""
		if n := e.LastFault(); n != nil {
			fault = n.Text
		}
		return result, fmt.Errorf("worker: run: %w: %s", ErrDead, fault)
	case events.Canceled:
		return result, fmt.Errorf("worker: run: %w", ErrCanceled)
	}
	return result, nil
}
