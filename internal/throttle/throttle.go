// Package throttle limits requests per minute. It counts them in Redis, for all processes together.
//
// Allow always returns a Decision: if Redis does not answer within Options.Patience, each process
// counts its own requests. A fault of Redis therefore blocks no client, and does not remove the
// limits.
//
// The caller chooses the name under which a request counts, such as the tenant, and how to reject a
// request.
package throttle

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

// period is the time for which a limit counts requests.
const period = time.Minute

// retryAfter is the pause before Redis is queried again after a failed query.
const retryAfter = time.Second

// Options holds the settings of a Limiter. The zero value works.
type Options struct {
	// Prefix is a part of the keys in Redis, which are "rate:<prefix>:<name>". Default "rollcall".
	Prefix string

	// Patience is the time after which a query of Redis is canceled. Default 300ms.
	Patience time.Duration

	// Log receives a record when a query of Redis fails. Default: none.
	Log *slog.Logger
}

// Decision is the result of the check of one request.
type Decision struct {
	OK    bool          // the request is allowed
	Left  int           // how many more are allowed now
	Reset time.Duration // time until all are allowed again
	After time.Duration // time until the next is allowed; 0 for now
}

// Limiter is a limiter that counts the requests of all processes together. Make it with New.
type Limiter struct {
	redis *redis_rate.Limiter
	opt   Options
	away  atomic.Int64 // unix ms until which Redis is not queried

	own Local // counts while Redis is unreachable
}

// New returns a limiter on rdb. It does no I/O; the caller keeps and closes rdb.
func New(rdb redis.UniversalClient, opt Options) *Limiter {
	opt.Prefix = cmp.Or(opt.Prefix, "rollcall")
	opt.Patience = cmp.Or(opt.Patience, 300*time.Millisecond)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Limiter{redis: redis_rate.NewLimiter(rdb), opt: opt}
}

// Allow counts a request under a name, and decides whether the request may proceed. A name may have
// `perMinute` requests per minute, at once or spread over the minute. The limit must be above 0. Without
// an answer from Redis, Allow counts only the requests of this process.
func (l *Limiter) Allow(ctx context.Context, name string, perMinute int) Decision {
	now := time.Now()
	if now.UnixMilli() < l.away.Load() {
		return l.own.allow(name, perMinute, now)
	}
	asked, cancel := context.WithTimeout(ctx, l.opt.Patience)
	defer cancel()
	r, err := l.redis.Allow(asked, l.opt.Prefix+":"+name, redis_rate.PerMinute(perMinute))
	switch {
	case err == nil:
		return Decision{OK: r.Allowed > 0, Left: r.Remaining, Reset: r.ResetAfter, After: max(r.RetryAfter, 0)}
	case ctx.Err() == nil: // else the caller has ended the request, which is no fault of Redis
		l.away.Store(now.Add(retryAfter).UnixMilli())
		l.opt.Log.WarnContext(ctx, "rate limits: Redis failed, so this process counts its own requests only", "err", err)
	}
	return l.own.allow(name, perMinute, now)
}
