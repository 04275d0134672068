package middleware

import (
	"log/slog"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// If the jobs of a key return to the queue hotReturns times within hotSpan without progress, the
// key waits for hotPause.
const (
	hotReturns = 10
	hotSpan    = time.Second
	hotPause   = time.Second
)

// returnCount holds the number of handler calls without progress for one key.
type returnCount struct {
	since time.Time // of the first call
	n     int
}

// loopGuard delays keys in a hot loop. In a hot loop, the jobs of a key go back to the queue and run
// again at once, without progress. Progress means that a job ends, uses an attempt or is delayed by more
// than hotSpan/hotReturns.
type loopGuard struct {
	log  *slog.Logger
	kind string

	mu   sync.Mutex
	keys map[string]returnCount // keys without progress in the last span
}

// check records whether a key makes progress. If the key is in a hot loop, check delays its next run and
// logs the delay. The argument `list` holds the runs of one handler call for the key, with their final
// outcomes.
func (g *loopGuard) check(key string, list []*run, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if progress(list, now) {
		delete(g.keys, key)
		return
	}
	g.forget(now)
	r := g.keys[key]
	if r.n == 0 {
		r.since = now
	}
	if r.n++; r.n < hotReturns {
		g.keys[key] = r
		return
	}
	delete(g.keys, key)
	list[0].next.At = now.Add(hotPause)
	g.log.Warn("key returned without progress: its next run is delayed",
		"queue", g.kind, "key", key, "times", hotReturns, "within", hotSpan, "delay", hotPause)
}

// progress reports whether a job of the key ended, used an attempt, or has a delay of more than
// hotSpan/hotReturns.
func progress(list []*run, now time.Time) bool {
	for _, x := range list {
		if x.next.Kind != queue.Return || x.next.At.After(now.Add(hotSpan/hotReturns)) {
			return true
		}
	}
	return false
}

// forget removes keys whose first call without progress is older than hotSpan.
func (g *loopGuard) forget(now time.Time) {
	for key, r := range g.keys {
		if now.Sub(r.since) > hotSpan {
			delete(g.keys, key)
		}
	}
}
