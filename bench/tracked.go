package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// trackedJobs is how many blank jobs the bench tracked runs, in one task.
const trackedJobs = 100_000

// benchTracked measures blank jobs from the first insert until the ledger has
// them all as finished: ours, River, asynq that tracks nothing, and our own
// queue without a ledger, in turn. Inserting and working go on at once.
func benchTracked(ctx context.Context, l *lab, runs int) ([]figure, error) {
	rates := map[string][]float64{}
	for range runs {
		for _, c := range l.trackedContenders() {
			rate, err := l.rateOf(ctx, c.run)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			rates[c.name] = append(rates[c.name], rate)
		}
	}
	asynq := max(median(rates["asynq 10"]), median(rates["asynq 50"]))
	f := figureOf("tracked", "jobs/s", rates["ours"])
	g := figureOf("tracked, beside a queue without tracking", "jobs/s", rates["ours"])
	h := figureOf("tracked, beside our queue alone", "jobs/s", rates["untracked"])
	h.Name, h.Ours, h.Min, h.Median, h.Max = g.Name, g.Ours, g.Min, g.Median, g.Max
	return []figure{
		f.above(riverName, median(rates["river"])),
		g.above(peerName+", untracked", asynq),
		h.above("ours, untracked", median(rates["untracked"])),
	}, nil
}

// trackedContender runs trackedJobs jobs on fresh servers, and checks them.
type trackedContender struct {
	name string
	run  func(ctx context.Context) (time.Duration, error)
}

func (l *lab) trackedContenders() []trackedContender {
	bare := func(c func() contender, concurrency int) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) {
			return fillAndDrain(ctx, c(), concurrency)
		}
	}
	ours := func() contender { return l.rollcall() }
	peer := func() contender { return l.peer() }
	return []trackedContender{
		{"ours", l.runTracked},
		{"river", l.runRiver},
		{"untracked", bare(ours, 25)},
		{"asynq 10", bare(peer, 10)},
		{"asynq 50", bare(peer, 50)},
	}
}

func (l *lab) rateOf(
	ctx context.Context, run func(context.Context) (time.Duration, error),
) (float64, error) {
	defer l.leave(len(l.cleanup))
	took, err := run(ctx)
	return trackedJobs / took.Seconds(), err
}

// fillAndDrain runs jobs on a queue alone.
func fillAndDrain(ctx context.Context, c contender, concurrency int) (time.Duration, error) {
	count := countTo(trackedJobs)
	stop, err := c.work(ctx, concurrency, count.handled)
	if err != nil {
		return 0, err
	}
	defer stop()
	time.Sleep(settleTime)
	begun := time.Now()
	if err := c.fill(ctx, 0, trackedJobs); err != nil {
		return 0, err
	}
	if err := count.wait(ctx); err != nil {
		return 0, err
	}
	err = settled(ctx, c)
	return time.Since(begun), err
}

// settleTime lets a node get its shards, or a leader be elected, first.
const settleTime = time.Second

// errWrong means that a contender was fast, but did not do its work.
var errWrong = errors.New("the counts are wrong")

// runTracked runs one task of ours.
func (l *lab) runTracked(ctx context.Context) (time.Duration, error) {
	s, err := l.service(ctx, testenv.Postgres(l), l.store())
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	task, err := s.add(ctx, trackedJobs, blankRow)
	if err != nil {
		return 0, err
	}
	if err := s.done(ctx, task); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	return took, s.check(ctx, task, trackedJobs)
}
