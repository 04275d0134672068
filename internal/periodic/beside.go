package periodic

import (
	"context"
	"time"
)

// Beside calls the function `do` after each period, without overlap, until stop is called or ctx
// ends. stop cancels the context of a running call and waits for it. A call that takes longer than
// period delays the next call. Beside panics unless period is positive.
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
