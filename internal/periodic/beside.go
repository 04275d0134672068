package periodic

import (
	"context"
	"time"
)

// Beside calls do after each period, never twice at once, until stop is called
// or ctx ends; stop ends the context of a call under way and waits for it. A
// call that takes longer than period makes the next one late. It panics unless
// period is positive.
func Beside(ctx context.Context, period time.Duration, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(period)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
			if ctx.Err() != nil { // also if both were ready
				return
			}
			do(ctx)
		}
	}()
	return func() { cancel(); <-ended }
}
