package middleware

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

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

// Track makes the queue's worker for a kind whose jobs are recorded by rec,
// unless the kind is untracked: then rec is told of none, and gives only its
// log, clock and hook.
func Track(kind worker.Kind, rec *Recorder) queue.Worker {
	t := &Tracker{kind: kind, rec: rec}
	t.worker = queue.Worker{
		Queue: kind.Name, Shards: kind.Shards, BatchSize: kind.BatchSize,
		RetryIn: kind.RetryIn, Handle: t.handle,
		MaxRetries: retries(kind.MaxRetries), Exhausted: t.exhausted,
	}
	if kind.Untracked {
		t.worker.Exhausted = nil
	}
	return t.worker
}

// handle runs a batch. Within a key, a job that has to run again holds up
// those behind it.
func (t *Tracker) handle(ctx context.Context, b *queue.Batch) error {
	failpoint.Hit("fetched")
	hold, done := holds(b, t.kind.Untracked)
	defer done()
	var all []*run
	for _, list := range b.Keys() {
		if !t.kind.Untracked {
			list = t.once(ctx, list)
		}
		if !t.kind.Batch {
			t.each(ctx, list, hold)
			continue
		}
		xs, _ := t.take(ctx, list, hold)
		all = append(all, xs...)
	}
	t.run(ctx, all)
	return nil
}

// holds keeps a batch in flight until done was called as often as hold, and
// once more. Untracked jobs wait for nothing.
func holds(b *queue.Batch, untracked bool) (hold func() func(), done func()) {
	if untracked {
		done = func() {}
		return func() func() { return done }, done
	}
	release := b.Hold()
	var left atomic.Int64
	left.Store(1)
	done = func() {
		if left.Add(-1) == 0 {
			release()
		}
	}
	return func() func() { left.Add(1); return done }, done
}

// each runs the jobs of one key, one after another; with Latest, all in one
// call of the handler, which sees the newest.
func (t *Tracker) each(ctx context.Context, list []*queue.Delivery, hold func() func()) {
	n := 1
	if t.kind.Latest {
		n = len(list)
	}
	for behind := false; len(list) > 0; list, behind = list[n:], true {
		xs, ok := t.take(ctx, list[:n], hold)
		for _, x := range xs {
			x.behind = behind
		}
		t.run(ctx, xs)
		if !ok || len(xs) > 0 && !xs[len(xs)-1].goesOn() {
			return
		}
	}
}

// take prepares deliveries of one key that are to run in one call. It returns
// false if it came to one that cannot run for now: it holds up all behind it.
func (t *Tracker) take(ctx context.Context, list []*queue.Delivery, hold func() func()) (xs []*run, ok bool) {
	for _, d := range list {
		if t.rec.drain.Load() || ctx.Err() != nil {
			d.Resolve(queue.Outcome{Kind: queue.Return})
			return xs, false
		}
		x, ok := t.prepare(ctx, d)
		if !ok {
			return xs, false
		}
		if x != nil {
			x.done = hold()
			xs = append(xs, x)
		}
	}
	return xs, true
}

// prepare reads a delivery. It returns no run if the job is at rest already,
// and false if the jobs of the key cannot go on for now.
func (t *Tracker) prepare(ctx context.Context, d *queue.Delivery) (*run, bool) {
	if t.kind.Untracked {
		return t.bare(d), true
	}
	env, err := worker.Unpack(d.Payload)
	if err != nil {
		d.Resolve(queue.Outcome{Kind: queue.Dead, Err: err.Error()})
		return nil, true
	}
	x := &run{
		id: env.Event, row: env.Row, from: events.Enqueue, attempt: env.Attempt + d.RetryCount + 1,
		delivery: d, who: t.rec.opt.Worker, unordered: t.kind.Unordered,
		call: &worker.Call{
			ID: env.Event.JobID(env.TaskID), Event: env.Event, TaskID: env.TaskID, Tenant: env.Tenant,
			Kind: t.kind.Name, Key: strings.TrimPrefix(d.Key, env.Tenant+"/"), Row: env.Row,
			Params: env.Params, Token: d.Token, Seq: d.Seq, Service: t.rec.opt.Client,
			Parts: t.rec.opt.Parts,
		},
	}
	x.task = env.TaskID
	ask, gone, err := t.rec.opt.Standing(ctx, env.Tenant, env.Mark)
	switch {
	case err != nil:
		d.Resolve(queue.Outcome{Kind: queue.Return, At: t.rec.opt.Now().Add(unsurePause)})
		return nil, false
	case gone:
		d.Resolve(queue.Outcome{Kind: queue.Done})
		return nil, true
	case ask || d.Redelivered > 0 || t.rec.isCanceling(env.TaskID):
		if goOn, err := t.claim(ctx, x); err != nil || !goOn {
			return nil, err == nil
		}
	}
	x.call.Attempt = x.attempt + 1
	return x, true
}

// unsurePause is how long a job waits whose standing could not be found out.
const unsurePause = 500 * time.Millisecond

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
