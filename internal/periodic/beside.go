package periodic

import (
	"context"
	"time"
)

// Beside calls the function `do` after each period, without overlap, until ctx ends or the caller
// calls `stop`. The function `stop` cancels the context of a running call and waits for the end of
// the call. A call that takes longer than a period delays the next call. Beside panics if the
// period is not above 0.
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
			if ctx.Err() != nil { // both channels may be ready
				return
			}
			do(ctx)
		}
	}()
	return func() { cancel(); <-ended }
}
