package throttle

import (
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Local counts requests of this process alone. The zero value is ready.
type Local struct {
	mu    sync.Mutex
	own   map[string]*rate.Limiter // by name
	swept time.Time
}

// Allow counts one request of a name, of which most may come in a minute, as Limiter.Allow does.
func (l *Local) Allow(name string, most int) Verdict { return l.allow(name, most, time.Now()) }

func (l *Local) allow(name string, most int, now time.Time) Verdict {
	b := l.bucket(name, most, now)
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

// bucket returns the count of a name. Counts that are full again are forgotten.
func (l *Local) bucket(name string, most int, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		l.own = map[string]*rate.Limiter{}
	}
	if now.Sub(l.swept) > period {
		l.swept = now
		maps.DeleteFunc(l.own, func(_ string, b *rate.Limiter) bool {
			return b.TokensAt(now) >= float64(b.Burst())
		})
	}
	b, ok := l.own[name]
	if !ok || b.Burst() != most {
		b = rate.NewLimiter(rate.Every(period/time.Duration(most)), most)
		l.own[name] = b
	}
	return b
}
