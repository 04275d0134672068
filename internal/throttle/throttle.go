// Package throttle bounds how many requests somebody makes in a minute, counted in
// Redis for all processes together.
//
// It promises an answer in any case: while Redis is away, or too slow, each
// process counts for itself, so that nobody is turned away, or let in without
// end, for a fault of ours.
//
// It knows names and numbers; who is counted, and what becomes of who comes too
// often, is up to its user.
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

// period is what limits are about.
const period = time.Minute

// leaveAlone is for how long Redis is not asked after it gave no answer.
const leaveAlone = time.Second

// Options tunes a Limiter. The zero value works.
type Options struct {
	// Prefix stands before every name; the keys in Redis are
	// "rate:<prefix>:<name>". Default "rollcall".
	Prefix string

	// Patience is how long Redis may take to answer. Default 300ms.
	Patience time.Duration

	// Log is told when Redis is away. Default: nobody.
	Log *slog.Logger
}

// Verdict is what becomes of one request.
type Verdict struct {
	OK    bool          // it may be answered
	Left  int           // how many more may come at once
	Reset time.Duration // until all of them may come again
	After time.Duration // until one may come; 0 if one may now
}

// Limiter counts requests. Make it with New.
type Limiter struct {
	redis *redis_rate.Limiter
	opt   Options
	away  atomic.Int64 // unix ms until which Redis is left alone

	own Local // while Redis is away
}

// New returns a limiter on rdb. It does no I/O; the caller keeps and closes rdb.
func New(rdb redis.UniversalClient, opt Options) *Limiter {
	opt.Prefix = cmp.Or(opt.Prefix, "rollcall")
	opt.Patience = cmp.Or(opt.Patience, 300*time.Millisecond)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Limiter{redis: redis_rate.NewLimiter(rdb), opt: opt}
}

// Allow counts one request of who, of whom most may come in a minute: all of
// them at once, or spread. most is above 0.
func (l *Limiter) Allow(ctx context.Context, who string, most int) Verdict {
	now := time.Now()
	if now.UnixMilli() < l.away.Load() {
		return l.own.allow(who, most, now)
	}
	asked, cancel := context.WithTimeout(ctx, l.opt.Patience)
	defer cancel()
	r, err := l.redis.Allow(asked, l.opt.Prefix+":"+who, redis_rate.PerMinute(most))
	switch {
	case err == nil:
		return Verdict{OK: r.Allowed > 0, Left: r.Remaining, Reset: r.ResetAfter, After: max(r.RetryAfter, 0)}
	case ctx.Err() == nil: // else who asked has gone: it says nothing about Redis
		l.away.Store(now.Add(leaveAlone).UnixMilli())
		l.opt.Log.WarnContext(ctx, "requests counted by this process alone", "err", err)
	}
	return l.own.allow(who, most, now)
}
