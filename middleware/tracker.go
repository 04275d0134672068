package middleware

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// Track returns the queue's worker for a kind: its handler inside the middlewares of Registry.Use,
// and all of them inside the middleware of rec.
func Track(kind jobs.Kind, rec *Recorder) queue.Worker {
	around := append([]queue.Middleware{rec.Middleware(kind), queue.Recover}, kind.Around...)
	w := retriesOf(kind)
	w.Queue, w.Shards, w.BatchSize = kind.Name, kind.Shards, kind.BatchSize
	w.Handle = queue.Chain(call(kind), append(around, queue.Recover)...)
	if !kind.Untracked {
		w.Exhausted = (&tracker{kind: kind, rec: rec}).exhausted
	}
	return w
}

// call returns the innermost handler of a chain: it runs the jobs of one batch.
func call(kind jobs.Kind) queue.Handler {
	return func(ctx context.Context, _ *queue.Batch) error {
		return kind.Run(ctx, jobs.Calls(ctx)...)
	}
}

// retriesOf returns a worker of the queue with only the retry rule of a kind.
func retriesOf(kind jobs.Kind) queue.Worker {
	w := queue.Worker{Weight: kind.Weight, MaxRetries: kind.MaxRetries, RetryIn: kind.RetryIn}
	if w.MaxRetries == 0 {
		w.MaxRetries = queue.NoRetries
	}
	return w
}

// Middleware returns the queue's middleware that records the outcome of each job of a kind:
// working, finish, failed or error. It calls next once for each call of the handler, with a batch
// of the jobs of that call. Their calls are in the context (jobs.Calls). The error of next
// applies to unresolved jobs; next must not resolve deliveries.
//
// For untracked kinds it makes the same decisions, and writes nothing to the ledger.
func (r *Recorder) Middleware(kind jobs.Kind) queue.Middleware {
	return func(next queue.Handler) queue.Handler {
		t := &tracker{
			kind: kind, rec: r, next: next, retries: retriesOf(kind), versioned: kind.Schema.Versioned(),
			guard: &loopGuard{log: r.opt.Log, kind: kind.Name, keys: map[string]returns{}},
		}
		t.pool.room.L = &t.pool.mu
		return t.handle
	}
}

// tracker runs the jobs of one kind and passes their outcomes to the recorder.
type tracker struct {
	kind    jobs.Kind
	rec     *Recorder
	next    queue.Handler
	retries queue.Worker // the retry rule of the kind
	guard   *loopGuard

	versioned bool // rows of the kind have versions

	spoils spoils // of groups
	pool   pool   // chains that wait for a group
}

// batch is a batch in flight. Each call of hold keeps it in flight until the returned function is
// called.
type batch struct {
	*queue.Batch
	hold func() func()
}

// part returns a batch of the jobs of one call.
func (b batch) part(xs []*run) *queue.Batch {
	part := &queue.Batch{Queue: b.Queue, Shard: b.Shard, Deliveries: make([]*queue.Delivery, len(xs))}
	for i, x := range xs {
		part.Deliveries[i] = x.delivery
	}
	return part
}

// handle runs a batch. Within a key, a job that must run again blocks the later ones.
func (t *tracker) handle(ctx context.Context, whole *queue.Batch) error {
	failpoint.Hit("fetched")
	hold, done := holds(whole, t.kind.Untracked)
	defer done()
	b := batch{whole, hold}
	if t.kind.Tx {
		t.add(t.chains(ctx, b))
		return nil
	}
	var all []*run
	for _, list := range b.Keys() {
		if !t.kind.Untracked {
			list = t.single(t.once(ctx, list))
		}
		if !t.kind.Batch {
			t.each(ctx, b, list)
			continue
		}
		xs, _ := t.take(ctx, b, list)
		all = append(all, xs...)
	}
	t.run(ctx, b, all)
	return nil
}

// holds keeps a batch in flight until done was called once, and each function that hold returned. Both
// are no-ops for untracked jobs.
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

// each runs the jobs of one key one after another. With Latest, it runs all in one call of the
// handler, which gets the newest.
func (t *tracker) each(ctx context.Context, b batch, list []*queue.Delivery) {
	n := 1
	if t.kind.Latest {
		n = len(list)
	}
	for behind := false; len(list) > 0; list, behind = list[n:], true {
		xs, ok := t.take(ctx, b, list[:n])
		for _, x := range xs {
			x.behind = behind
		}
		t.run(ctx, b, xs)
		if !ok || len(xs) > 0 && !xs[len(xs)-1].unblocksKey() {
			return
		}
	}
}

// take prepares deliveries of one key that run in one call. It returns false at a delivery that
// cannot run now, which blocks all later ones.
func (t *tracker) take(ctx context.Context, b batch, list []*queue.Delivery) (xs []*run, ok bool) {
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
			x.done = b.hold()
			xs = append(xs, x)
		}
	}
	return xs, true
}

// prepare parses a delivery. It returns no run if the job has already ended, and false if the jobs
// of the key cannot go on now.
func (t *tracker) prepare(ctx context.Context, d *queue.Delivery) (*run, bool) {
	if t.kind.Untracked {
		return t.untracked(d), true
	}
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		d.Resolve(queue.Outcome{Kind: queue.Dead, Err: err.Error()})
		return nil, true
	}
	x := &run{
		id: env.Event, row: env.Row, from: events.Enqueue, attempt: env.Attempt + d.RetryCount + 1,
		delivery: d, who: t.rec.opt.runner(), unordered: t.kind.Unordered, stops: t.kind.StopKey, versioned: t.versioned, since: t.rec.ledger.Point(),
		call: &jobs.Call{
			ID: env.Event.JobID(env.TaskID), Event: env.Event, TaskID: env.TaskID, Tenant: env.Tenant,
			Kind: t.kind.Name, Key: strings.TrimPrefix(d.Key, env.Tenant+"/"), Row: env.Row,
			Params: env.Params, Token: d.Token, Seq: d.Seq, Service: t.rec.opt.Client,
			Parts: t.rec.opt.Parts,
		},
	}
	x.task = env.TaskID
	ask, gone, err := t.rec.opt.CheckGeneration(ctx, env.Tenant, env.Mark)
	switch {
	case err != nil:
		d.Resolve(queue.Outcome{Kind: queue.Return, At: t.rec.opt.Now().Add(unsurePause)})
		return nil, false
	case gone:
		d.Resolve(queue.Outcome{Kind: queue.Done})
		return nil, true
	case ask || d.Redelivered > 0 || t.asksFirst(x) || t.rec.isCanceling(env.TaskID):
		x.doubted = d.Redelivered > 0
		if goOn, err := t.claim(ctx, x); err != nil || !goOn {
			return nil, err == nil
		}
	}
	x.call.Attempt = x.attempt + 1
	return x, true
}

// unsurePause is the pause of a job after an error of CheckGeneration.
const unsurePause = 500 * time.Millisecond

// claim checks a job that may have run before in the ledger; an ended job is acknowledged without a
// run. It returns false if the job must not run, and an error if the later jobs must wait as well.
func (t *tracker) claim(ctx context.Context, x *run) (goOn bool, err error) {
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
