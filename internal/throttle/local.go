package throttle

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// mostNames is the most names that a Local counts at once.
const mostNames = 10_000

// Local counts requests of this process alone. The zero value works.
type Local struct {
	mu    sync.Mutex
	own   map[string]*bucket // by name
	swept time.Time
}

// Allow counts one request of a name with a limit of most per minute, as Limiter.Allow does.
func (l *Local) Allow(name string, most int) Verdict { return l.allow(name, most, time.Now()) }

func (l *Local) allow(name string, most int, now time.Time) Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(name, most, now)
	v := Verdict{OK: b.take(now)}
	left := b.tokens
	v.Left = int(left)
	each := period / time.Duration(most)
	v.Reset = time.Duration((float64(most) - left) * float64(each))
	if !v.OK {
		v.After = time.Duration((1 - left) * float64(each))
	}
	return v
}

// bucket holds the tokens of a name. A request takes one token, and all tokens are restored within a
// period.
type bucket struct {
	most   int
	tokens float64
	at     time.Time // of tokens
}

// atTime returns the tokens at a time.
func (b *bucket) atTime(now time.Time) float64 {
	back := float64(b.most) * now.Sub(b.at).Seconds() / period.Seconds()
	return min(b.tokens+max(back, 0), float64(b.most))
}

// take takes a token. It returns false if there is none.
func (b *bucket) take(now time.Time) bool {
	b.tokens = b.atTime(now)
	if now.After(b.at) {
		b.at = now
	}
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// bucket returns the tokens of a name. It needs mu.
func (l *Local) bucket(name string, most int, now time.Time) *bucket {
	if l.own == nil {
		l.own = map[string]*bucket{}
	}
	if _, known := l.own[name]; now.Sub(l.swept) > period || !known && len(l.own) >= mostNames {
		l.sweep(now)
	}
	b, ok := l.own[name]
	if !ok || b.most != most {
		b = &bucket{most, float64(most), now}
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
		used[name] = float64(b.most) - b.atTime(now)
	}
	maps.DeleteFunc(l.own, func(name string, _ *bucket) bool { return used[name] <= 0 })
	if len(l.own) < mostNames {
		return
	}
	names := slices.SortedFunc(maps.Keys(l.own), func(a, b string) int { return cmp.Compare(used[a], used[b]) })
	for _, name := range names[:len(names)/2] {
		delete(l.own, name)
	}
}
