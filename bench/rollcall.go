package main

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/queue"
)

// rollcall is the measured queue, with its defaults.
type rollcall struct {
	*store
	client *queue.Client
}

// queueName is the only queue of the contenders.
const queueName = "bench"

// fillBatch is how many jobs one push contains.
const fillBatch = 1000

func (l *lab) rollcall() *rollcall {
	s := l.store()
	spec := []queue.Spec{{Name: queueName}}
	return &rollcall{s, queue.NewClient(s.rdb, queue.ClientOptions{Queues: spec})}
}

func (r *rollcall) redis() *store { return r.store }

func (r *rollcall) fill(ctx context.Context, first, n int) error {
	jobs := make([]queue.Job, 0, fillBatch)
	for end := first + n; first < end; first += len(jobs) {
		jobs = jobs[:0]
		for i := first; i < min(first+fillBatch, end); i++ {
			jobs = append(jobs, queue.Job{
				Queue: queueName, Key: fmt.Sprintf("key:%d", i), Payload: payload(i),
			})
		}
		if err := r.client.Push(ctx, jobs...); err != nil {
			return err
		}
	}
	return nil
}

func (r *rollcall) push(ctx context.Context, payload []byte) error {
	return r.client.Push(ctx, queue.Job{Queue: queueName, Key: string(payload), Payload: payload})
}

func (r *rollcall) work(
	ctx context.Context, concurrency int, handled func([]byte),
) (func(), error) {
	s := queue.NewServer(r.rdb, queue.ServerOptions{Concurrency: concurrency}, queue.Worker{
		Queue: queueName,
		Handle: func(_ context.Context, b *queue.Batch) error {
			for _, d := range b.Deliveries {
				handled(d.Payload)
			}
			return nil
		},
	})
	return s.Stop, s.Start(ctx)
}

func (r *rollcall) left(ctx context.Context) (int64, error) {
	st, err := r.client.Stats(ctx, queueName)
	return st.Length + st.Busy, err
}
