package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// A backlog of jobs that are tasks of their own, and how many goroutines
// enqueue it.
const (
	backlog   = 5_000
	enqueuers = 10
)

// benchEnqueue measures jobs that are enqueued one by one: how fast they are
// taken in without a node, and how fast one node ends the backlog, its start
// included.
func benchEnqueue(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var in, out []float64
	for range runs {
		taken, drained, err := l.backlog(ctx)
		if err != nil {
			return nil, err
		}
		in, out = append(in, backlog/taken.Seconds()), append(out, backlog/drained.Seconds())
	}
	return []figure{
		figureOf("enqueue, one by one", "jobs/s", in), figureOf("enqueue, backlog ended", "jobs/s", out),
	}, nil
}

func (l *lab) backlog(ctx context.Context) (taken, drained time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	redis, url := l.store(), testenv.Postgres(l)
	begun := time.Now()
	if err := enqueue(ctx, url, redis); err != nil {
		return 0, 0, err
	}
	taken, begun = time.Since(begun), time.Now()
	s, err := l.service(ctx, url, redis)
	if err == nil {
		err = s.ended(ctx, backlog)
	}
	return taken, time.Since(begun), err
}

// enqueue fills an empty ledger.
func enqueue(ctx context.Context, url string, redis *store) error {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	def := worker.Define(queueName, func(context.Context, *worker.Job[struct{}]) error { return nil })
	specs := []queue.Spec{{Name: queueName}}
	client := worker.NewClient(db, queue.NewClient(redis.rdb, queue.ClientOptions{Queues: specs}),
		worker.NewRegistry(def), worker.ClientOptions{})
	var all sync.WaitGroup
	faults := make(chan error, enqueuers)
	for i := range enqueuers {
		all.Go(func() {
			for n := i; n < backlog; n += enqueuers {
				key := worker.Key(fmt.Sprintf("key:%d", n))
				if _, err := def.Enqueue(ctx, client, struct{}{}, key); err != nil {
					faults <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(faults)
	return <-faults
}

// ended waits until n tasks are done, and checks that all have finished.
func (s *service) ended(ctx context.Context, n int) error {
	var left, finished int
	for end := time.Now().Add(2 * waitAtMost); ; time.Sleep(20 * time.Millisecond) {
		err := s.db.Pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM feeds),
			(SELECT count(*) FROM tasks WHERE status = 'finished')`).Scan(&left, &finished)
		switch {
		case err != nil:
			return err
		case left == 0 && finished == n:
			return nil
		case left == 0:
			return fmt.Errorf("%w: %d of %d tasks finished", errWrong, finished, n)
		case time.Now().After(end):
			return fmt.Errorf("%w: %d tasks left", errSlow, left)
		}
	}
}
