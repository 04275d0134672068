package main

import (
	"context"
	"slices"
	"time"
)

// benchQueueEnqueue measures one client of Rollcall that pushes batches. The figure of the peer is the
// best run of ten concurrent clients of asynq.
func benchQueueEnqueue(ctx context.Context, l *lab, runs int) ([]figure, error) {
	ours, theirs, err := l.compare(runs, func(c contender) (float64, error) {
		begun := time.Now()
		err := c.fill(ctx, 0, queueJobs)
		return queueJobs / time.Since(begun).Seconds(), err
	})
	if err != nil {
		return nil, err
	}
	f := figureOf("queue-enqueue, batches of 1,000", "jobs/s", ours)
	return []figure{f.above(peerName+", best of 10 clients", slices.Max(theirs))}, nil
}

// benchQueueMemory measures the memory that Redis uses for a queued job.
func benchQueueMemory(ctx context.Context, l *lab, runs int) ([]figure, error) {
	ours, theirs, err := l.compare(runs, func(c contender) (float64, error) {
		before, err := c.redis().info(ctx, "memory", "used_memory")
		if err != nil {
			return 0, err
		}
		if err := c.fill(ctx, 0, queueJobs); err != nil {
			return 0, err
		}
		time.Sleep(4 * time.Second) // until Redis has shrunk the buffers of its clients
		after, err := c.redis().info(ctx, "memory", "used_memory")
		return (after - before) / queueJobs, err
	})
	if err != nil {
		return nil, err
	}
	f := figureOf("queue-memory, 20-byte payload", "B/job", ours)
	return []figure{f.below(peerName, median(theirs))}, nil
}
