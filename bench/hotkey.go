package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// These are the numbers and durations of the rows of the bench hotkey.
const (
	hotRows    = 500         // rows of the slow key, which come first
	hotTakes   = time.Second // duration of a row of the slow key
	otherRows  = 10_000      // rows behind them, each with its own key
	otherTakes = 20 * time.Millisecond
	keyedRows  = 20_000 // rows of few keys, with a handler that does nothing
	shortTasks = 1_000  // the number of tasks with these rows
)

// hotKey is the key whose rows run slowly.
const hotKey = "hot"

// benchHotKey measures rows of other keys behind a slow key, and the same rows without the slow key. It
// also measures how fast rows of few keys run.
func benchHotKey(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var with, without, one, twenty, short []float64
	for range runs {
		for _, m := range []struct {
			to  *[]float64
			run func(context.Context) (float64, error)
		}{
			{&without, func(ctx context.Context) (float64, error) { return l.behind(ctx, 0) }},
			{&with, func(ctx context.Context) (float64, error) { return l.behind(ctx, hotRows) }},
			{&one, func(ctx context.Context) (float64, error) { return l.keyed(ctx, 1, 1) }},
			{&twenty, func(ctx context.Context) (float64, error) { return l.keyed(ctx, 20, 1) }},
			{&short, func(ctx context.Context) (float64, error) { return l.keyed(ctx, 20, shortTasks) }},
		} {
			value, err := m.run(ctx)
			if err != nil {
				return nil, err
			}
			*m.to = append(*m.to, value)
		}
	}
	return []figure{
		figureOf("hotkey, 10,000 rows behind 500 of a slow key", "s", with).below("without the key", median(without)),
		figureOf("hotkey, rows of one key", "jobs/s", one),
		figureOf("hotkey, rows of 20 keys", "jobs/s", twenty),
		figureOf("hotkey, rows of 20 keys, in tasks of 20 rows", "jobs/s", short),
	}, nil
}

// behind returns the seconds until the rows of other keys have finished, if `hot` rows of the slow key
// come before them.
func (l *lab) behind(ctx context.Context, hot int) (float64, error) {
	defer l.leave(len(l.cleanup))
	h, err := l.feedService(ctx, func(ctx context.Context, key string) {
		takes := otherTakes
		if key == hotKey {
			takes = hotTakes
		}
		select {
		case <-time.After(takes):
		case <-ctx.Done():
		}
	})
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	_, err = h.add(ctx, "acme", hot+otherRows, func(row int) string {
		if row < hot {
			return hotKey
		}
		return strconv.Itoa(row)
	})
	if err != nil {
		return 0, err
	}
	for end := begun.Add(waitAtMost); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if h.others.Load() >= otherRows {
			return time.Since(begun).Seconds(), nil
		}
	}
	return 0, fmt.Errorf("hotkey: %d of %d rows of other keys have run: %w", h.others.Load(), otherRows, errSlow)
}

// keyed returns how many rows finish in a second, with the given numbers of keys and of tasks.
func (l *lab) keyed(ctx context.Context, keys, tasks int) (float64, error) {
	defer l.leave(len(l.cleanup))
	h, err := l.feedService(ctx, nil)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	var last string
	for range tasks {
		last, err = h.add(ctx, "acme", keyedRows/tasks, func(row int) string { return strconv.Itoa(row % keys) })
		if err != nil {
			return 0, err
		}
	}
	if err := h.await(ctx, "acme", last); err != nil {
		return 0, err
	}
	return keyedRows / time.Since(begun).Seconds(), nil
}
