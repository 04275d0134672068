package main

import (
	"context"
	"slices"
	"time"
)

// benchPoll measures the polls of one task during its import: those of one frontend, every 20 ms, and
// those of a crowd. It also measures how much the crowd slows the import down.
func benchPoll(ctx context.Context, l *lab, runs int) ([]figure, error) {
	path, err := l.sample(20 * smallRows)
	if err != nil {
		return nil, err
	}
	var alone, rate, p99, share []float64
	for range runs {
		quiet, took, err := l.pollAlone(path)
		if err != nil {
			return nil, err
		}
		alone = append(alone, ms(took[len(took)*99/100]))
		busy, took, err := l.pollInCrowd(ctx, path)
		if err != nil {
			return nil, err
		}
		rate = append(rate, float64(len(took))/busy.Seconds())
		p99 = append(p99, ms(took[len(took)*99/100]))
		share = append(share, quiet.Seconds()/busy.Seconds())
	}
	return []figure{
		figureOf("poll during an import, p99", "ms", alone),
		figureOf("poll by 64 connections at 17,000/s: polls answered", "/s", rate),
		figureOf("poll by 64 connections, p99", "ms", p99),
		figureOf("poll by 64 connections: speed of the import, of that without", "x", share),
	}, nil
}

// pollAlone returns the duration of an import, and the sorted durations of the polls of one client.
func (l *lab) pollAlone(path string) (whole time.Duration, took []time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	s := l.real()
	time.Sleep(time.Second) // the processes become idle
	begun := time.Now()
	t, err := upload(s.url, path)
	if err != nil {
		return 0, nil, err
	}
	err = finish(s.url, t.ID, 20*time.Millisecond, func(d time.Duration) { took = append(took, d) })
	whole = time.Since(begun)
	slices.Sort(took)
	return whole, took, err
}

// pollInCrowd is like pollAlone with a crowd. It returns the durations of the crowd's polls.
func (l *lab) pollInCrowd(ctx context.Context, path string) (time.Duration, []time.Duration, error) {
	defer l.leave(len(l.cleanup))
	s := l.real()
	time.Sleep(time.Second) // the processes become idle
	begun := time.Now()
	t, err := upload(s.url, path)
	if err != nil {
		return 0, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- finish(s.url, t.ID, 20*time.Millisecond, func(time.Duration) {})
	}()
	took, err := crowd(ctx, s.url, "/api/v1/tasks/"+t.ID)
	whole := time.Since(begun)
	if err == nil {
		err = <-ended
	}
	return whole, took, err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
