package throttle

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// mostNames is the maximum number of names for which a Local counts requests.
const mostNames = 10_000

// Local is a limiter that counts only the requests of this process. The zero value works.
type Local struct {
	mu    sync.Mutex
	own   map[string]*bucket // by name
	swept time.Time
}

// Allow counts a request under a name, and decides whether the request may proceed. The argument
// `perMinute` is the limit of the name, which must be above 0.
func (l *Local) Allow(name string, perMinute int) Decision {
	return l.allow(name, perMinute, time.Now())
}

func (l *Local) allow(name string, perMinute int, now time.Time) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(name, perMinute, now)
	v := Decision{OK: b.take(now)}
	left := b.tokens
	v.Left = int(left)
	each := period / time.Duration(perMinute)
	v.Reset = time.Duration((float64(perMinute) - left) * float64(each))
	if !v.OK {
		v.After = time.Duration((1 - left) * float64(each))
	}
	return v
}

// bucket holds the tokens of a name. Each request takes one token. An empty bucket is full again after
// one minute.
type bucket struct {
	perMinute int
	tokens    float64
	at        time.Time // when tokens was computed
}

// atTime returns the number of tokens at a time.
func (b *bucket) atTime(now time.Time) float64 {
	back := float64(b.perMinute) * now.Sub(b.at).Seconds() / period.Seconds()
	return min(b.tokens+max(back, 0), float64(b.perMinute))
}

// take takes a token. It returns false if the bucket has none.
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

// bucket returns the bucket of a name. It makes a full bucket for a new name or a changed limit.
// The caller holds mu.
func (l *Local) bucket(name string, perMinute int, now time.Time) *bucket {
	if l.own == nil {
		l.own = map[string]*bucket{}
	}
	if _, known := l.own[name]; now.Sub(l.swept) > period || !known && len(l.own) >= mostNames {
		l.sweep(now)
	}
	b, ok := l.own[name]
	if !ok || b.perMinute != perMinute {
		b = &bucket{perMinute, float64(perMinute), now}
		l.own[name] = b
	}
	return b
}

// sweep removes the buckets that are full again. If mostNames or more are left, it removes the half
// with the least use. A frequent client thus keeps its bucket even if many other clients arrive.
func (l *Local) sweep(now time.Time) {
	l.swept = now
	used := make(map[string]float64, len(l.own))
	for name, b := range l.own {
		used[name] = float64(b.perMinute) - b.atTime(now)
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
