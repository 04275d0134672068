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
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"
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

	mu    sync.Mutex
	own   map[string]*rate.Limiter // by name, while Redis is away
	swept time.Time
}

// New returns a limiter on rdb. It does no I/O; the caller keeps and closes rdb.
func New(rdb redis.UniversalClient, opt Options) *Limiter {
	opt.Prefix = cmp.Or(opt.Prefix, "rollcall")
	opt.Patience = cmp.Or(opt.Patience, 300*time.Millisecond)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Limiter{redis: redis_rate.NewLimiter(rdb), opt: opt, own: map[string]*rate.Limiter{}}
}

// Allow counts one request of who, of whom most may come in a minute: all of
// them at once, or spread. most is above 0.
func (l *Limiter) Allow(ctx context.Context, who string, most int) Verdict {
	now := time.Now()
	if now.UnixMilli() < l.away.Load() {
		return l.alone(who, most, now)
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
	return l.alone(who, most, now)
}

// alone counts in this process.
func (l *Limiter) alone(who string, most int, now time.Time) Verdict {
	b := l.bucket(who, most, now)
	v := Verdict{OK: b.AllowN(now, 1)}
	left := max(b.TokensAt(now), 0)
	v.Left = int(left)
	each := period / time.Duration(most)
	v.Reset = time.Duration((float64(most) - left) * float64(each))
	if !v.OK {
		v.After = time.Duration((1 - left) * float64(each))
	}
	return v
}

// bucket is the count of who. Those that are full again are forgotten.
func (l *Limiter) bucket(who string, most int, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > period {
		l.swept = now
		maps.DeleteFunc(l.own, func(_ string, b *rate.Limiter) bool {
			return b.TokensAt(now) >= float64(b.Burst())
		})
	}
	b, ok := l.own[who]
	if !ok || b.Burst() != most {
		b = rate.NewLimiter(rate.Every(period/time.Duration(most)), most)
		l.own[who] = b
	}
	return b
}
