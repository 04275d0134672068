package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// The bench singles enqueues singleJobs jobs, each as its own task, from enqueuers goroutines.
const (
	singleJobs = 20_000
	enqueuers  = 10
)

// benchSingles measures jobs that are enqueued one by one, beside River. It measures the rate of
// enqueuing without a node, and the rate at which one node ends the backlog, including the start of the
// node.
func benchSingles(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var in, out, peerIn, peerOut []float64
	for range runs {
		taken, drained, err := l.singles(ctx)
		if err != nil {
			return nil, err
		}
		in, out = append(in, singleJobs/taken.Seconds()), append(out, singleJobs/drained.Seconds())
		if taken, drained, err = l.riverSingles(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", riverName, err)
		}
		peerIn, peerOut = append(peerIn, singleJobs/taken.Seconds()), append(peerOut, singleJobs/drained.Seconds())
	}
	return []figure{
		figureOf("singles, enqueued one by one", "jobs/s", in).above(riverName, median(peerIn)),
		figureOf("singles, drained by one node", "jobs/s", out).above(riverName, median(peerOut)),
	}, nil
}

func (l *lab) singles(ctx context.Context) (taken, drained time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	redis, url := l.store(), testenv.Postgres(l)
	begun := time.Now()
	if err := enqueueAll(ctx, url, redis); err != nil {
		return 0, 0, err
	}
	taken, begun = time.Since(begun), time.Now()
	s, err := l.service(ctx, url, redis)
	if err == nil {
		err = s.ended(ctx, singleJobs)
	}
	return taken, time.Since(begun), err
}

// fromAll calls f with the number of each job, from several goroutines.
func fromAll(f func(n int) error) error {
	var all sync.WaitGroup
	faults := make(chan error, enqueuers)
	for i := range enqueuers {
		all.Go(func() {
			for n := i; n < singleJobs; n += enqueuers {
				if err := f(n); err != nil {
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

// enqueueAll enqueues singleJobs jobs into an empty ledger.
func enqueueAll(ctx context.Context, url string, redis *store) error {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	def := worker.Define(queueName, func(context.Context, *worker.Job[struct{}]) error { return nil })
	specs := []queue.Spec{{Name: queueName}}
	client := enqueue.Public(enqueue.New(db, queue.NewClient(redis.rdb, queue.ClientOptions{Queues: specs}),
		jobs.RegistryOf(worker.NewRegistry(def)), enqueue.Options{})).(*worker.Client)
	return fromAll(func(n int) error {
		_, err := def.Enqueue(ctx, client, struct{}{}, worker.Key(fmt.Sprintf("key:%d", n)))
		return err
	})
}

// ended waits until n tasks are done, and returns an error unless all have finished.
func (s *service) ended(ctx context.Context, n int) error {
	end, first := time.Now().Add(2*waitAtMost), int64(0)
	for ; ; time.Sleep(20 * time.Millisecond) {
		// The query begins at the task that was last found unfinished: a query over all tasks uses a
		// whole core.
		err := s.db.Pool.QueryRow(ctx, `SELECT coalesce(
			(SELECT num FROM rollcall.tasks WHERE num >= $1 AND status <> 'finished' ORDER BY num LIMIT 1), 0)`, first).Scan(&first)
		switch {
		case err != nil:
			return err
		case first == 0:
			return s.finished(ctx, n)
		case time.Now().After(end):
			return fmt.Errorf("%w: task %d is not finished", errSlow, first)
		}
	}
}

// finished returns an error unless n tasks have finished and no task has a feed.
func (s *service) finished(ctx context.Context, n int) error {
	var left, finished int
	err := s.db.Pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM rollcall.feeds),
		(SELECT count(*) FROM rollcall.tasks WHERE status = 'finished')`).Scan(&left, &finished)
	if err == nil && (left != 0 || finished != n) {
		err = fmt.Errorf("%w: %d of %d tasks finished, %d are fed", errWrong, finished, n, left)
	}
	return err
}
