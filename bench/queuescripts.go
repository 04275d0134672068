package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// errAgain is the error of every job, so that the job waits for a retry.
var errAgain = errors.New("to be tried again")

// benchQueueScripts measures how long one script of the queue blocks Redis. It covers the whole life of
// queueJobs jobs, and the acts on all jobs at once.
func benchQueueScripts(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var longest, rare, slow []float64
	for range runs {
		times, err := l.scripts(ctx)
		if err != nil {
			return nil, err
		}
		slices.Sort(times)
		at, _ := slices.BinarySearch(times, 5*time.Millisecond)
		longest = append(longest, ms(times[len(times)-1]))
		rare = append(rare, ms(times[len(times)*999/1000]))
		slow = append(slow, 1000*float64(len(times)-at)/float64(len(times)))
	}
	return []figure{
		figureOf("queue-scripts, 99.9 of 100 scripts take at most", "ms", rare),
		figureOf("queue-scripts, the longest", "ms", longest),
		figureOf("queue-scripts, over 5 ms", "of 1,000", slow),
	}, nil
}

// scripts runs all operations of a queue, and returns the duration of each script. The clock of Redis
// measures them, so they include waits for a processor.
func (l *lab) scripts(ctx context.Context) ([]time.Duration, error) {
	defer l.leave(len(l.cleanup))
	r := l.rollcall()
	for name, value := range map[string]string{"slowlog-log-slower-than": "0", "slowlog-max-len": "1000000"} {
		if err := r.rdb.ConfigSet(ctx, name, value).Err(); err != nil {
			return nil, err
		}
	}
	admin := r.client.Admin()
	steps := []func() error{
		func() error { return r.fill(ctx, 0, queueJobs) },
		func() error { return r.failAll(ctx) },
		func() error { return all(admin.PerformAllNow(ctx, queueName)) },
		func() error { return admin.Reshard(ctx, queueName, 7) },
		func() error { return all(admin.KillAllFailed(ctx, queueName)) },
		func() error { return all(admin.RequeueAllMorgue(ctx, queueName)) },
		func() error { _, err := drain(ctx, r, 100); return err },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.scriptTimes(ctx)
}

// all returns an error unless an act changed every job.
func all(n int, err error) error {
	if err == nil && n != queueJobs {
		err = fmt.Errorf("%d of %d jobs were touched", n, queueJobs)
	}
	return err
}

// failAll makes every job fail once.
func (r *rollcall) failAll(ctx context.Context) error {
	s := queue.NewServer(r.rdb, queue.ServerOptions{Concurrency: 100}, queue.Worker{
		Queue:   queueName,
		Handle:  func(context.Context, *queue.Batch) error { return errAgain },
		RetryIn: func(int) time.Duration { return 24 * time.Hour },
	})
	if err := s.Start(ctx); err != nil {
		return err
	}
	defer s.Stop()
	for end := time.Now().Add(waitAtMost); ; time.Sleep(10 * time.Millisecond) {
		st, err := r.client.Stats(ctx, queueName)
		if err != nil || st.Retries == queueJobs {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: %d of %d jobs have failed", errSlow, st.Retries, queueJobs)
		}
	}
}

// scriptTimes reads the durations of scripts from the slow log of the server.
func (r *rollcall) scriptTimes(ctx context.Context) ([]time.Duration, error) {
	logs, err := r.rdb.SlowLogGet(ctx, -1).Result()
	var out []time.Duration
	for _, one := range logs {
		if len(one.Args) > 0 && strings.HasPrefix(strings.ToLower(one.Args[0]), "eval") {
			out = append(out, one.Duration)
		}
	}
	if err == nil && len(out) < 1000 {
		err = fmt.Errorf("only %d scripts were logged", len(out))
	}
	return out, err
}
