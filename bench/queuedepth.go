package main

import (
	"context"
	"time"
)

// These are the compared depths of the queue, in jobs, and the number of jobs that run at each depth.
const (
	deep       = 1_000_000
	shallow    = 10_000
	depthSlice = 50_000
)

// benchQueueDepth measures how fast a slice of jobs runs while many jobs wait behind it, and while few
// wait.
func benchQueueDepth(ctx context.Context, l *lab, runs int) ([]figure, error) {
	few, many := tank{l.rollcall(), shallow, 0}, tank{l.rollcall(), deep, 0}
	var atFew, atMany []float64
	for range runs {
		v, err := few.work(ctx)
		if err != nil {
			return nil, err
		}
		atFew = append(atFew, v)
		if v, err = many.work(ctx); err != nil {
			return nil, err
		}
		atMany = append(atMany, v)
	}
	f := figureOf("queue-depth, 10^6 queued", "jobs/s", atMany)
	return []figure{f.above("ours, 10^4 queued", median(atFew))}, nil
}

// tank is a queue that is filled up to depth plus one slice before each run.
type tank struct {
	*rollcall
	depth int
	next  int // number of the next job
}

// fill pushes n more jobs.
func (t *tank) fill(ctx context.Context, n int) error {
	t.next += n
	return t.rollcall.fill(ctx, t.next-n, n)
}

// work returns how many jobs of one slice run per second.
func (t *tank) work(ctx context.Context) (float64, error) {
	left, err := t.left(ctx)
	if err != nil {
		return 0, err
	}
	if err := t.fill(ctx, t.depth+depthSlice-int(left)); err != nil {
		return 0, err
	}
	count := countTo(depthSlice)
	begun := time.Now()
	stop, err := t.rollcall.work(ctx, 50, count.handled)
	if err != nil {
		return 0, err
	}
	defer stop()
	if err := count.wait(ctx); err != nil {
		return 0, err
	}
	return depthSlice / time.Since(begun).Seconds(), nil
}
