package middleware

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// Tracker runs the jobs of one kind and tells the recorder about each.
type Tracker struct {
	kind   worker.Kind
	rec    *Recorder
	worker queue.Worker
}

// Track makes the queue's worker for a kind whose jobs are recorded by rec.
func Track(kind worker.Kind, rec *Recorder) queue.Worker {
	t := &Tracker{kind: kind, rec: rec}
	t.worker = queue.Worker{
		Queue: kind.Name, Shards: kind.Shards, RetryIn: kind.RetryIn, Handle: t.handle,
		MaxRetries: retries(kind.MaxRetries), Exhausted: t.exhausted,
	}
	return t.worker
}

// handle runs a batch: its keys side by side in nothing, one after another.
// Within a key, a job that has to run again holds up those behind it.
func (t *Tracker) handle(ctx context.Context, b *queue.Batch) error {
	failpoint.Hit("fetched")
	release := b.Hold()
	var left atomic.Int64
	left.Store(1)
	done := func() {
		if left.Add(-1) == 0 {
			release()
		}
	}
	defer done()
	for _, list := range b.Keys() {
		for _, d := range list {
			if t.rec.drain.Load() || ctx.Err() != nil {
				d.Resolve(queue.Outcome{Kind: queue.Return})
				break
			}
			x, ok := t.prepare(ctx, d)
			if !ok {
				break
			}
			if x == nil {
				continue
			}
			left.Add(1)
			x.done = done
			t.run(ctx, x)
			if !t.goesOn(x) {
				break
			}
		}
	}
	return nil
}

// goesOn tells whether the next job of the same key may run.
func (t *Tracker) goesOn(x *run) bool {
	return x.next.Kind == queue.Done || x.next.Kind == queue.Dead
}

// prepare reads a delivery. It returns no run if the job is at rest already,
// and false if the jobs of the key cannot go on for now.
func (t *Tracker) prepare(ctx context.Context, d *queue.Delivery) (*run, bool) {
	env, err := worker.Unpack(d.Payload)
	if err != nil {
		d.Resolve(queue.Outcome{Kind: queue.Dead, Err: err.Error()})
		return nil, true
	}
	x := &run{
		id: env.Event, row: env.Row, from: events.Enqueue, attempt: env.Attempt + d.RetryCount + 1,
		delivery: d, who: t.rec.opt.Worker,
		call: &worker.Call{
			ID: env.Event.JobID(env.TaskID), TaskID: env.TaskID, Tenant: env.Tenant,
			Kind: t.kind.Name, Key: strings.TrimPrefix(d.Key, env.Tenant+"/"), Row: env.Row,
			Params: env.Params, Token: d.Token, Seq: d.Seq,
		},
	}
	x.task = env.TaskID
	if d.Redelivered > 0 || env.Mark != t.rec.opt.Mark() {
		if goOn, err := t.claim(ctx, x); err != nil || !goOn {
			return nil, err == nil
		}
	}
	x.call.Attempt = x.attempt + 1
	return x, true
}

// claim asks the ledger about a job that may have run before: what is at rest
// is acked without running. It returns false if the job is not to run, and an
// error if those behind it have to wait as well.
func (t *Tracker) claim(ctx context.Context, x *run) (goOn bool, err error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	err = t.rec.claim(ctx, x)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, errAtRest):
		x.delivery.Resolve(queue.Outcome{Kind: queue.Done})
		return false, nil
	}
	x.delivery.Resolve(queue.Outcome{
		Kind: queue.Return, At: t.rec.opt.Now().Add(lastPause), Redelivered: true,
	})
	return false, err
}

// run runs the handler and hands the run to the recorder. A run whose shard
// has passed to another node meanwhile tells nothing: it is run again there.
func (t *Tracker) run(ctx context.Context, x *run) {
	x.begun = t.rec.opt.Now()
	if !x.announced {
		t.rec.begin(x)
	}
	err := t.call(ctx, x)
	if errors.Is(context.Cause(ctx), queue.ErrLeaseLost) {
		t.rec.drop(x)
		return
	}
	x.ended = t.rec.opt.Now()
	x.took = x.ended.Sub(x.begun)
	t.judge(ctx, x, err)
	x.delivery.Resolve(x.next)
	t.rec.end(x)
}

// judge decides what becomes of the job. The handler's error and the kind's
// RetryIn are the user's code too: if they panic, the job is a fault that is
// retried after the queue's own pause.
func (t *Tracker) judge(ctx context.Context, x *run, err error) {
	defer func() {
		if p := recover(); p != nil {
			x.verdict = worker.Verdict{Kind: worker.Retry, Err: fmt.Errorf("panic: %v", p)}
			x.stack = string(debug.Stack())
			plain := queue.Worker{MaxRetries: t.worker.MaxRetries}
			x.next = plain.Next(x.delivery, x.verdict.Err, t.rec.opt.Now())
		}
	}()
	x.verdict = worker.Judge(ctx, err, queue.ErrInterrupted)
	if x.verdict.Err != nil {
		x.text = clip(x.verdict.Err.Error(), maxText)
	}
	x.next = t.outcome(x)
}

// outcome is what the queue does with the job, after the commit.
func (t *Tracker) outcome(x *run) queue.Outcome {
	now := t.rec.opt.Now()
	switch v := x.verdict; v.Kind {
	case worker.Finish, worker.Failed:
		return queue.Outcome{Kind: queue.Done}
	case worker.Later:
		return queue.Outcome{Kind: queue.Return, At: now.Add(v.Delay)}
	case worker.Interrupted:
		return queue.Outcome{Kind: queue.Return}
	case worker.Dead:
		return queue.Outcome{Kind: queue.Dead, Err: x.text}
	default:
		next := t.worker.Next(x.delivery, v.Err, now)
		if next.Kind == queue.Retry && v.Delay > 0 {
			next.At = now.Add(v.Delay)
		}
		// The queue counts retries by key and knows of no crash: the ledger
		// knows the attempt.
		next.Redelivered = true
		return next
	}
}

// call runs the handler under its timeout. A panic is a system fault.
func (t *Tracker) call(ctx context.Context, x *run) (err error) {
	if t.kind.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.kind.Timeout,
			fmt.Errorf("took longer than %v", t.kind.Timeout))
		defer cancel()
	}
	defer func() {
		if p := recover(); p != nil {
			err, x.stack = fmt.Errorf("panic: %v", p), string(debug.Stack())
		}
	}()
	return t.kind.Run(ctx, x.call)
}

// clip shortens a text to most bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// retries is a kind's number of retries as the queue wants it said.
func retries(n int) int {
	if n == 0 {
		return queue.NoRetries
	}
	return n
}
