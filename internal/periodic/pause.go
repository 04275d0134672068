package periodic

import (
	"context"
	"time"
)

// Pause returns after the duration d, or when ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
