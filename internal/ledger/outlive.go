package ledger

import (
	"context"
	"time"
)

// outliveTimeout is how long a context of [Outlive] lasts after its parent has ended.
const outliveTimeout = time.Second

// Outlive returns a context for a statement that gives back a claim. It ends a second after
// ctx, so a process that is asked to stop can still release what it has claimed.
func Outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(outliveTimeout, cancel) })
	return late, func() { stop(); cancel() }
}
