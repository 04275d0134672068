package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// trackedJobs is how many blank jobs the bench tracked runs in one task.
const trackedJobs = 100_000

// benchTracked measures the time from the first insert of blank jobs until all have finished. It compares
// Rollcall, whose time ends when the ledger has recorded all of them, with River, asynq without tracking,
// and the queue of Rollcall without a ledger. Jobs run while others are inserted.
func benchTracked(ctx context.Context, l *lab, runs int) ([]figure, error) {
	rates, times := map[string][]float64{}, &spends{}
	for range runs {
		for _, c := range l.trackedContenders(times) {
			rate, err := l.rateOf(ctx, c.run)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			rates[c.name] = append(rates[c.name], rate)
		}
	}
	beside := func(text string) figure { return figureOf("tracked"+text, "jobs/s", rates["ours"]) }
	asynq := max(median(rates["asynq 10"]), median(rates["asynq 50"]))
	return append([]figure{
		beside("").above(riverName, median(rates["river"])),
		beside(", beside no tracking").above(peerName+", untracked", asynq),
		beside(", beside our queue").above("ours, untracked", median(rates["untracked"])),
	}, times.figures()...), nil
}

// trackedContender runs trackedJobs jobs on new servers, and checks the result.
type trackedContender struct {
	name string
	run  func(ctx context.Context) (time.Duration, error)
}

func (l *lab) trackedContenders(times *spends) []trackedContender {
	bare := func(c func() contender, concurrency int) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) {
			return fillAndDrain(ctx, c(), concurrency)
		}
	}
	ours := func() contender { return l.rollcall() }
	peer := func() contender { return l.peer() }
	return []trackedContender{
		{"ours", func(ctx context.Context) (time.Duration, error) { return l.runTracked(ctx, times) }},
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

// fillAndDrain runs jobs on a queue without a ledger.
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

// settleTime is how long a node may take to acquire its shards, or to elect a leader.
const settleTime = time.Second

// errWrong means that a contender did not do all of its work.
var errWrong = errors.New("the counts are wrong")

// runTracked runs one task of trackedJobs jobs with Rollcall, and adds its processor times to `times`.
func (l *lab) runTracked(ctx context.Context, times *spends) (time.Duration, error) {
	redis := l.store()
	s, err := l.service(ctx, testenv.Postgres(l), redis)
	if err != nil {
		return 0, err
	}
	before, err := s.times(ctx, redis)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	task, err := s.add(ctx, trackedJobs, blankRow)
	if err == nil {
		err = s.done(ctx, task)
	}
	took := time.Since(begun)
	if err != nil {
		return 0, err
	}
	after, err := s.times(ctx, redis)
	if err != nil {
		return 0, err
	}
	times.add(before, after)
	return took, s.check(ctx, task, trackedJobs)
}
