package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"
)

// latencySamples is the number of measured jobs of one run. A few jobs before them are not measured.
const latencySamples = 500

// quantile is one point of a distribution.
type quantile struct {
	name string
	at   float64
}

var quantiles = [...]quantile{{"p50", 0.5}, {"p99", 0.99}}

// benchQueueLatency measures the time from a push into an idle queue to the start of the handler. It also
// measures how long jobs wait when a node ends.
func benchQueueLatency(ctx context.Context, l *lab, runs int) ([]figure, error) {
	ours, usual, eager, err := l.latencies(ctx, runs)
	if err != nil {
		return nil, err
	}
	var out []figure
	for i, q := range quantiles {
		f := figureOf("queue-latency, push to start, "+q.name, "ms", ours[i])
		out = append(out, f.below(peerName, median(usual[i])))
		f.Name += ", peer tuned"
		out = append(out, f.below(peerName+", checks every ms", median(eager[i])))
	}
	moves, err := l.takeovers(ctx, runs)
	return append(out, moves...), err
}

// spread holds the values of all runs for each quantile.
type spread [len(quantiles)][]float64

func (s *spread) add(waits []time.Duration) {
	slices.Sort(waits)
	for i, q := range quantiles {
		s[i] = append(s[i], ms(waits[int(q.at*float64(len(waits)))]))
	}
}

// latencies measures Rollcall, the peer with its defaults, and the peer with its shortest poll interval.
func (l *lab) latencies(ctx context.Context, runs int) (ours, usual, eager spread, err error) {
	kinds := []struct {
		to    *spread
		start func() contender
	}{
		{&ours, func() contender { return l.rollcall() }},
		{&usual, func() contender { return l.peer() }},
		{&eager, func() contender { p := l.peer(); p.check = time.Millisecond; return p }},
	}
	for range runs {
		for _, kind := range kinds {
			err := l.fresh(kind.start, func(c contender) error {
				waits, err := pickup(ctx, c)
				if err == nil {
					kind.to.add(waits)
				}
				return err
			})
			if err != nil {
				return ours, usual, eager, err
			}
		}
	}
	return ours, usual, eager, nil
}

// pickup pushes one job every 5 to 20 ms, and returns the waits. Each job carries the time of its push.
func pickup(ctx context.Context, c contender) ([]time.Duration, error) {
	const warm = 20
	var mu sync.Mutex
	var waits []time.Duration
	count := countTo(latencySamples + warm)
	stop, err := c.work(ctx, 10, func(sent []byte) {
		wait := sinceStamp(string(sent))
		mu.Lock()
		waits = append(waits, wait)
		mu.Unlock()
		count.handled(sent)
	})
	if err != nil {
		return nil, err
	}
	defer stop()
	for range latencySamples + warm {
		if err := c.push(ctx, stamp()); err != nil {
			return nil, err
		}
		time.Sleep(5*time.Millisecond + rand.N(15*time.Millisecond))
	}
	if err := count.wait(ctx); err != nil {
		return nil, err
	}
	return waits[warm:], nil
}

// stamp returns the current time as a text, which is used as a unique payload and key.
func stamp() []byte { return fmt.Append(nil, time.Now().UnixNano()) }

// sinceStamp returns the time since a stamp was made.
func sinceStamp(stamp string) time.Duration {
	sent, _ := strconv.ParseInt(stamp, 10, 64) // stamp made it
	return time.Duration(time.Now().UnixNano() - sent)
}
