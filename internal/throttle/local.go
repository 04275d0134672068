package throttle

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// mostNames is the most names that a Local counts at once.
const mostNames = 10_000

// Local counts requests of this process alone. The zero value works.
type Local struct {
	mu    sync.Mutex
	own   map[string]*rate.Limiter // by name
	swept time.Time
}

// Allow counts one request of a name with a limit of most per minute, as Limiter.Allow does.
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

// bucket returns the count of a name.
func (l *Local) bucket(name string, most int, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		l.own = map[string]*rate.Limiter{}
	}
	if _, known := l.own[name]; now.Sub(l.swept) > period || !known && len(l.own) >= mostNames {
		l.sweep(now)
	}
	b, ok := l.own[name]
	if !ok || b.Burst() != most {
		b = rate.NewLimiter(rate.Every(period/time.Duration(most)), most)
		l.own[name] = b
	}
	return b
}

// sweep removes counts without recent requests. If there are still too many, it removes the half
// with the least use: frequent clients keep their count among many others.
func (l *Local) sweep(now time.Time) {
	l.swept = now
	used := make(map[string]float64, len(l.own))
	for name, b := range l.own {
		used[name] = float64(b.Burst()) - b.TokensAt(now)
	}
	maps.DeleteFunc(l.own, func(name string, _ *rate.Limiter) bool { return used[name] <= 0 })
	if len(l.own) < mostNames {
		return
	}
	names := slices.SortedFunc(maps.Keys(l.own), func(a, b string) int { return cmp.Compare(used[a], used[b]) })
	for _, name := range names[:len(names)/2] {
		delete(l.own, name)
	}
}
