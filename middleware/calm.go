package middleware

import (
	"log/slog"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// A key whose jobs come back without progress hotTurns times within hotSpan waits for
// calmPause before its next run.
const (
	hotTurns  = 10
	hotSpan   = time.Second
	calmPause = time.Second
)

// turns counts the calls of a key that made no progress.
type turns struct {
	since time.Time // of the first
	n     int
}

// calm ends hot loops: keys whose jobs return at once, again and again, with no job
// ended, no attempt used and no delay.
type calm struct {
	log  *slog.Logger
	kind string

	mu  sync.Mutex
	hot map[string]turns // by key; keys without progress in the last span
}

// pause delays the next run of a key that makes no progress, and logs it. The runs are
// those of one call for the key, after its order was settled.
func (c *calm) pause(key string, list []*run, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if progress(list, now) {
		delete(c.hot, key)
		return
	}
	c.forget(now)
	t := c.hot[key]
	if t.n == 0 {
		t.since = now
	}
	if t.n++; t.n < hotTurns {
		c.hot[key] = t
		return
	}
	delete(c.hot, key)
	list[0].next.At = now.Add(calmPause)
	c.log.Warn("key put back without progress: its next run waits",
		"queue", c.kind, "key", key, "times", hotTurns, "within", hotSpan, "wait", calmPause)
}

// progress reports whether a job of the key ended, used an attempt or has a delay that
// rules out a hot loop.
func progress(list []*run, now time.Time) bool {
	for _, x := range list {
		if x.next.Kind != queue.Return || x.next.At.After(now.Add(hotSpan/hotTurns)) {
			return true
		}
	}
	return false
}

// forget removes keys whose first call without progress is older than the span.
func (c *calm) forget(now time.Time) {
	for key, t := range c.hot {
		if now.Sub(t.since) > hotSpan {
			delete(c.hot, key)
		}
	}
}
