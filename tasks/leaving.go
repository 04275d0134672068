package tasks

import (
	"context"
	"time"
)

// leaveTimeout is how long a claim may still be given back after a context has ended.
const leaveTimeout = time.Second

// leaving returns a context for a claim that is given back. It ends leaveTimeout after ctx.
func leaving(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(leaveTimeout, cancel) })
	return late, func() { stop(); cancel() }
}
