package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// takeoverLease is the lease of the nodes that are killed.
const takeoverLease = 2 * time.Second

// takeovers measures the longest wait of a job when one of two nodes ends. Meanwhile, jobs for all shards
// are pushed.
func (l *lab) takeovers(ctx context.Context, runs int) ([]figure, error) {
	kinds := []struct {
		name   string
		signal syscall.Signal
	}{
		{"kill -9 (lease 2 s)", syscall.SIGKILL},
		{"SIGTERM", syscall.SIGTERM},
	}
	var out []figure
	for _, kind := range kinds {
		var waits []float64
		for range runs {
			wait, err := l.takeover(ctx, kind.signal)
			if err != nil {
				return nil, fmt.Errorf("takeover after %s: %w", kind.name, err)
			}
			waits = append(waits, ms(wait))
		}
		out = append(out, figureOf("queue-latency, takeover after "+kind.name, "ms", waits))
	}
	return out, nil
}

// takeover ends one of two nodes, and returns the longest wait of a job that was pushed shortly before the
// end or after it. This includes jobs in flight.
func (l *lab) takeover(ctx context.Context, signal syscall.Signal) (time.Duration, error) {
	defer l.leave(len(l.cleanup))
	f := fleet{l.store(), l, 1, 10, takeoverLease, false}
	push, goes, stays := f.probe(), f.node(), f.node()
	if err := sharing(ctx, push, goes, stays); err != nil {
		return 0, err
	}
	time.Sleep(takeoverLease + rand.N(takeoverLease)) // at any time between renewals
	sent, total := 0, len(starts(goes, stays))
	begun := time.Now()
	for time.Since(begun) < takeoverLease+3*time.Second {
		const each = 40 // most likely to all shards
		if sent == 5*each {
			if err := syscall.Kill(goes.PID(), signal); err != nil {
				return 0, err
			}
		}
		if err := push(ctx, each); err != nil {
			return 0, err
		}
		sent += each
		time.Sleep(20 * time.Millisecond)
	}
	if err := awaitProbes(total+sent, goes, stays); err != nil {
		return 0, err
	}
	longest := time.Duration(0)
	for _, s := range starts(goes, stays) {
		if s.sent.After(begun) {
			longest = max(longest, s.wait)
		}
	}
	return longest, nil
}

// sharing waits until both nodes run jobs.
func sharing(
	ctx context.Context, push func(context.Context, int) error, nodes ...*testenv.Process,
) error {
	pushed := 0
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if err := push(ctx, 10); err != nil {
			return err
		}
		pushed += 10
		if len(starts(nodes[0])) > 0 && len(starts(nodes[1])) > 0 {
			return awaitProbes(pushed, nodes...)
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: the shards are not spread over the nodes", errSlow)
		}
	}
}
