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

// Track returns the queue worker for a kind. The middlewares of Registry.Use wrap the kind's
// handler, and the middleware of `rec` wraps them. Track panics if the kind has limits and
// Options.Permits is nil.
func Track(kind jobs.Kind, rec *Recorder) queue.Worker {
	if len(kind.Limits) > 0 && rec.opt.Permits == nil {
		panic("middleware: " + kind.Name + " has limits, but Options.Permits is missing")
	}
	around := append([]queue.Middleware{rec.Middleware(kind), queue.Recover}, kind.Around...)
	w := retriesOf(kind)
	w.Queue, w.Shards, w.BatchSize = kind.Name, kind.Shards, kind.BatchSize
	w.Handle = queue.Chain(call(kind), append(around, queue.Recover)...)
	if !kind.Untracked {
		w.Exhausted = (&tracker{kind: kind, rec: rec}).recordCrashed
	}
	return w
}

// call returns the innermost handler of a chain, which runs the jobs in the context.
func call(kind jobs.Kind) queue.Handler {
	return func(ctx context.Context, _ *queue.Batch) error {
		return kind.Run(ctx, jobs.Calls(ctx)...)
	}
}

// retriesOf returns a queue worker that has only the weight and the retry rule of a kind.
func retriesOf(kind jobs.Kind) queue.Worker {
	w := queue.Worker{Weight: kind.Weight, MaxRetries: kind.MaxRetries, RetryIn: kind.RetryIn}
	if w.MaxRetries == 0 {
		w.MaxRetries = queue.NoRetries
	}
	return w
}

// Middleware returns a queue middleware that records the status of the jobs of a kind in the ledger. It calls
// `next` once for each call of the kind's handler, with a batch of the jobs of this call. The function
// jobs.Calls returns these jobs from the context. The error of `next` is the outcome of each job whose
// outcome the handler has not set. The handler `next` must not resolve deliveries.
//
// For untracked kinds, the middleware applies the same rules, but writes nothing to the ledger.
func (r *Recorder) Middleware(kind jobs.Kind) queue.Middleware {
	return func(next queue.Handler) queue.Handler {
		t := &tracker{
			kind: kind, rec: r, next: next, retries: retriesOf(kind), versioned: kind.Schema.Versioned(),
			guard: &loopGuard{log: r.opt.Log, kind: kind.Name, keys: map[string]returnCount{}},
		}
		t.pool.room.L = &t.pool.mu
		return t.handle
	}
}

// tracker is the middleware of one kind. It runs the jobs and passes their outcomes to the
// recorder.
type tracker struct {
	kind    jobs.Kind
	rec     *Recorder
	next    queue.Handler
	retries queue.Worker // the retry rule of the kind
	guard   *loopGuard

	versioned bool // rows of the kind have versions

	spoils spoilScore // of groups
	pool   pool       // chains that wait for a group
}

// batch is a batch in flight. For a tracked kind, each call of `hold` keeps it in flight until the
// caller calls the returned function.
type batch struct {
	*queue.Batch
	hold func() func()
}

// part returns a batch with the deliveries of the given runs.
func (b batch) part(xs []*run) *queue.Batch {
	part := &queue.Batch{Queue: b.Queue, Shard: b.Shard, Deliveries: make([]*queue.Delivery, len(xs))}
	for i, x := range xs {
		part.Deliveries[i] = x.delivery
	}
	return part
}

// handle runs a batch or, for a kind of worker.DefineTx, adds its jobs to the pool. Within a key, a
// job that must run again blocks the later jobs.
func (t *tracker) handle(ctx context.Context, whole *queue.Batch) error {
	failpoint.Hit("fetched")
	hold, done := holdBatch(whole, t.kind.Untracked)
	defer done()
	b := batch{whole, hold}
	if t.kind.Tx {
		t.add(t.chains(ctx, b))
		return nil
	}
	var all []*run
	for _, list := range b.Keys() {
		if !t.kind.Untracked {
			list = t.keepFirst(t.dedupe(ctx, list))
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

// holdBatch keeps a batch in flight until the caller has called `done` and every function that the
// function `hold` has returned. For untracked kinds these functions are no-ops.
func holdBatch(b *queue.Batch, untracked bool) (hold func() func(), done func()) {
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

// each runs the jobs of one key one after another, until a job blocks the key. For a kind with the
// option Latest, it passes all jobs to one call, whose handler gets the newest job.
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

// take prepares the deliveries of one key for one call. At a delivery that cannot run now, it stops and
// returns false, since this delivery blocks the later deliveries.
func (t *tracker) take(ctx context.Context, b batch, list []*queue.Delivery) (xs []*run, ok bool) {
	for _, d := range list {
		if t.rec.drain.Load() || ctx.Err() != nil {
			d.Resolve(queue.Outcome{Kind: queue.Return})
			return xs, false
		}
		x, mark := t.parse(d)
		if x == nil {
			continue
		}
		follows := t.kind.Latest && len(xs) > 0
		if t.kind.Latest && d != list[len(list)-1] {
			x.newest = list[len(list)-1]
		}
		switch goOn, blocks := t.check(ctx, x, mark, follows); {
		case goOn:
			x.done = b.hold()
			xs = append(xs, x)
		case blocks:
			x.permit.GiveUnused(ctx)
			return xs, false
		default:
			x.permit.GiveUnused(ctx)
		}
	}
	return xs, true
}

// parse parses a delivery, and returns its run and its mark. It returns a nil run for an unreadable
// payload, which goes to the morgue.
func (t *tracker) parse(d *queue.Delivery) (x *run, mark string) {
	if t.kind.Untracked {
		return t.untracked(d), ""
	}
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		d.Resolve(queue.Outcome{Kind: queue.Dead, Err: err.Error()})
		return nil, ""
	}
	x = &run{
		id: env.Event, row: env.Row, from: events.Enqueue, attempt: env.Attempt + d.RetryCount + 1,
		delivery: d, who: t.rec.opt.runner(), unordered: t.kind.Unordered, stops: t.kind.StopKey, versioned: t.versioned, since: t.rec.ledger.Point(),
		call: &jobs.Call{
			ID: env.Event.JobID(env.TaskID), Event: env.Event, TaskID: env.TaskID, Tenant: env.Tenant,
			Kind: t.kind.Name, Key: strings.TrimPrefix(d.Key, env.Tenant+"/"), Row: env.Row,
			Params: env.Params, Token: d.Token, Seq: d.Seq, Service: t.rec.opt.Client,
			Parts: t.rec.opt.Parts,
		},
	}
	x.task, x.pooled = env.TaskID, t.kind.Tx && !t.needsCheck(x)
	return x, env.Mark
}

// check reports whether a job may run, and otherwise whether it blocks the later jobs of its key.
// The job takes a permit, unless it follows a job whose permit covers both.
func (t *tracker) check(ctx context.Context, x *run, mark string, follows bool) (goOn, blocks bool) {
	if t.kind.Untracked {
		goOn = follows || t.takePermit(ctx, x)
		return goOn, !goOn
	}
	d := x.delivery
	ask, gone, err := t.rec.opt.CheckGeneration(ctx, x.call.Tenant, mark)
	switch {
	case err != nil:
		d.Resolve(queue.Outcome{Kind: queue.Return, At: t.rec.opt.Now().Add(unsurePause)})
		return false, true
	case gone:
		d.Resolve(queue.Outcome{Kind: queue.Done})
		return false, false
	}
	ask, x.doubted = ask || t.rec.isCanceling(x.task), d.Redelivered > 0
	if ask && len(t.kind.Limits) > 0 && !follows { // a job that has ended needs no permit
		if goOn, err := t.claim(ctx, x, true); err != nil || !goOn {
			return false, err != nil
		}
	}
	if !follows && !t.takePermit(ctx, x) {
		return false, true
	}
	if ask || x.doubted || t.needsCheck(x) {
		if goOn, err := t.claim(ctx, x, false); err != nil || !goOn {
			return false, err != nil
		}
	}
	x.call.Attempt = x.attempt + 1
	return true, false
}

// unsurePause is how long a job waits in the queue after an error of CheckGeneration or
// Permits.Take.
const unsurePause = 500 * time.Millisecond

// claim checks in the ledger whether a job may run. If the job has ended, the queue removes it. claim
// returns false if the job must not run. It returns an error if the later jobs must wait as well. With
// `peek`, it does not write the event as working.
func (t *tracker) claim(ctx context.Context, x *run, peek bool) (goOn bool, err error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	err = t.rec.claim(ctx, x, peek)
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
