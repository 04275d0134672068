package main

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// benchTrackedDepth compares a task of 10^6 rows with tasks of 10^4, and measures the peak memory of
// Redis during the large task.
func benchTrackedDepth(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var few, many, peaks []float64
	for range runs {
		rate, _, err := l.depth(ctx, shallow, 10)
		if err != nil {
			return nil, err
		}
		few = append(few, rate)
		rate, peak, err := l.depth(ctx, deep, 1)
		if err != nil {
			return nil, err
		}
		many, peaks = append(many, rate), append(peaks, peak)
	}
	f := figureOf("tracked-depth, a task of 10^6", "jobs/s", many)
	return []figure{
		f.above("ours, tasks of 10^4", median(few)),
		figureOf("tracked-depth, most memory of redis", "MB", peaks),
	}, nil
}

// depth runs tasks of n rows, one after another, on new servers.
func (l *lab) depth(ctx context.Context, n, times int) (rate, peakMB float64, err error) {
	defer l.leave(len(l.cleanup))
	redis := l.store()
	s, err := l.service(ctx, testenv.Postgres(l), redis)
	if err != nil {
		return 0, 0, err
	}
	before, err := redis.info(ctx, "memory", "used_memory_peak")
	if err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	for range times {
		task, err := s.add(ctx, n, blankRow)
		if err == nil {
			err = s.done(ctx, task)
		}
		if err == nil {
			err = s.check(ctx, task, int64(n))
		}
		if err != nil {
			return 0, 0, err
		}
	}
	rate = float64(n*times) / time.Since(begun).Seconds()
	peak, err := redis.info(ctx, "memory", "used_memory_peak")
	return rate, (peak - before) / (1 << 20), err
}
