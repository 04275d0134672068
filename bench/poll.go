package main

import (
	"context"
	"slices"
	"time"
)

// benchPoll measures how long a poll of a task takes while its rows are being
// imported, by a frontend that polls every 20 ms.
func benchPoll(_ context.Context, l *lab, runs int) ([]figure, error) {
	path, err := l.sample(10 * smallRows)
	if err != nil {
		return nil, err
	}
	var p50, p99 []float64
	for range runs {
		took, err := l.pollDuring(path)
		if err != nil {
			return nil, err
		}
		slices.Sort(took)
		p50 = append(p50, ms(took[len(took)/2]))
		p99 = append(p99, ms(took[len(took)*99/100]))
	}
	return []figure{
		figureOf("poll during an import, p50", "ms", p50),
		figureOf("poll during an import, p99", "ms", p99),
	}, nil
}

func (l *lab) pollDuring(path string) (took []time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	s := l.real()
	time.Sleep(time.Second) // let it settle
	t, err := upload(s.url, path)
	if err != nil {
		return nil, err
	}
	err = finish(s.url, t.ID, 20*time.Millisecond, func(d time.Duration) { took = append(took, d) })
	return took, err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
