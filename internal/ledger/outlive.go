package ledger

import (
	"context"
	"time"
)

// outliveTimeout is how long a context of [Outlive] lasts after its parent has ended.
const outliveTimeout = time.Second

// Outlive returns a context for a statement that releases a claim. It ends a second after ctx, so a
// stopping process can still release its claims.
func Outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(outliveTimeout, cancel) })
	return late, func() { stop(); cancel() }
}
