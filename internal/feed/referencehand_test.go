package feed_test

import (
	"context"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// hand is a node with one worker, which takes a job only when the test calls next.
type hand struct {
	f      *farm
	server *queue.Server
	turns  chan events.Status // what becomes of the next row; Enqueue is a retry
	done   chan outcome
}

// outcome is what a worker did with a job.
type outcome struct {
	id  events.ID
	ran bool // false: the job was dropped
	err error
}

// hand starts a node.
func (f *farm) hand() *hand {
	f.t.Helper()
	h := &hand{f: f, turns: make(chan events.Status), done: make(chan outcome)}
	var work []queue.Worker
	for _, kind := range f.Kinds.Kinds() {
		work = append(work, queue.Worker{
			Queue: kind.Name, Shards: kind.Shards, Handle: h.handle, MaxRetries: 1000,
			RetryIn: func(int) time.Duration { return time.Millisecond },
		})
	}
	h.server = queue.NewServer(f.Redis, queue.ServerOptions{
		Prefix: f.Options.Prefix, Concurrency: 1, Poll: 20 * time.Millisecond, StopTimeout: time.Millisecond,
		Epoch: f.DB.NextEpoch,
	}, work...)
	f.fine(h.server.Start(f.t.Context()))
	return h
}

// next lets the worker take one job. ok is false if Redis has none.
func (h *hand) next(to events.Status) (o outcome, ok bool) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		select {
		case h.turns <- to:
			return <-h.done, true
		case <-time.After(5 * time.Millisecond):
			if h.f.jobs() == 0 {
				return o, false
			}
		}
	}
	return outcome{err: errors.New("jobs wait in Redis, and no worker gets them")}, true
}

// jobs counts the keys that wait or are in flight.
func (f *farm) jobs() (n int64) {
	for _, kind := range f.Kinds.Kinds() {
		st, err := f.Queue.Stats(f.t.Context(), kind.Name)
		f.fine(err)
		n += st.Length + st.Busy
	}
	return n
}

// handle runs each job of a key when the test calls next. A node that stops puts back the
// jobs that have not run.
func (h *hand) handle(ctx context.Context, b *queue.Batch) error {
	for _, d := range b.Deliveries {
		select {
		case to := <-h.turns:
			o := outcome{}
			o.id, o.ran, o.err = h.run(d, to)
			if h.done <- o; o.err != nil || o.ran && to == events.Enqueue {
				return errors.Join(o.err, errors.New("again"))
			}
			d.Resolve(queue.Outcome{Kind: queue.Done})
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
