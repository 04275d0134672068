package pages

import (
	"context"
	"sync"
	"time"
)

// pauseTimeout bounds how long a page waits for Redis to return the paused queues.
const pauseTimeout = 300 * time.Millisecond

// pauseAge is the time for which the pages of a process share the paused queues.
const pauseAge = time.Second

// pausedKinds caches the paused queues, so that polls of pages do not each ask Redis, or wait for a Redis that
// does not answer.
type pausedKinds struct {
	mu      sync.Mutex
	kinds   []string  // none after an error
	readAt  time.Time // zero before the first read
	reading bool
}

// list returns the paused queues. It calls `read` at most once per pauseAge. While a call of `read` runs, list
// returns the queues of the call before.
func (k *pausedKinds) list(ctx context.Context, now time.Time, read func(context.Context) ([]string, error)) []string {
	if kinds, fresh := k.cached(now); fresh {
		return kinds
	}
	// Other pages use the result, so it must not depend on this request.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pauseTimeout)
	defer cancel()
	var kinds []string
	defer func() {
		k.mu.Lock()
		k.kinds, k.readAt, k.reading = kinds, now, false
		k.mu.Unlock()
	}()
	if found, err := read(ctx); err == nil {
		kinds = found
	}
	return kinds
}

// cached returns the cached queues and whether they are to be used. If they are not, the caller must read them.
func (k *pausedKinds) cached(now time.Time) (kinds []string, fresh bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := now.Sub(k.readAt) // negative if the clock was set back
	if k.reading || !k.readAt.IsZero() && age >= 0 && age < pauseAge {
		return k.kinds, true
	}
	k.reading = true
	return nil, false
}
