package ledger

import (
	"context"
	"math/rand/v2"
	"time"
)

// outliveTimeout is the time for which a context of ReleaseContext lasts after its parent has ended.
const outliveTimeout = time.Second

// ReleaseContext returns a context for a statement that releases a claim. The context ends a second after
// ctx, so that a stopping process can still release its claims.
func ReleaseContext(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(outliveTimeout, cancel) })
	return late, func() { stop(); cancel() }
}

// NewClaim returns a random positive number. A process stores this number in the records that it claims.
// Two claims practically never have the same number.
func NewClaim() int64 { return rand.Int64N(1<<62) + 1 }
