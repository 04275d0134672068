package manage

import (
	"context"
	"sync"
	"time"
)

// pauseTimeout bounds how long a page waits for Redis to return the paused queues.
const pauseTimeout = 300 * time.Millisecond

// pauseAge is the time for which the pages of a process share the paused queues.
const pauseAge = time.Second

// pausedQueues is a cache of the paused queues. Without it, each poll of a page would read them from Redis,
// and would wait while Redis does not answer.
type pausedQueues struct {
	mu      sync.Mutex
	queues  []string  // none after an error
	readAt  time.Time // zero before the first read
	reading bool
}

// PausedQueues returns the names of the paused queues. It reads them from Redis at most once per second,
// and returns the cached names otherwise. If Redis fails or does not answer within pauseTimeout, the list
// is empty.
func (s *Service) PausedQueues(ctx context.Context) []string {
	return s.paused.list(ctx, s.Now(), s.Queue.Admin().PausedQueues)
}

// list returns the paused queues. It calls `read` at most once per pauseAge. While a call of `read` runs,
// list returns the result of the previous call.
func (k *pausedQueues) list(ctx context.Context, now time.Time, read func(context.Context) ([]string, error)) []string {
	if queues, fresh := k.cached(now); fresh {
		return queues
	}
	// Other pages use the result, so it must not depend on this request.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pauseTimeout)
	defer cancel()
	var queues []string
	defer func() {
		k.mu.Lock()
		k.queues, k.readAt, k.reading = queues, now, false
		k.mu.Unlock()
	}()
	if found, err := read(ctx); err == nil {
		queues = found
	}
	return queues
}

// cached returns the cached queues. If `fresh` is false, the caller must read the queues from Redis.
func (k *pausedQueues) cached(now time.Time) (queues []string, fresh bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := now.Sub(k.readAt) // negative if the clock was set back
	if k.reading || !k.readAt.IsZero() && age >= 0 && age < pauseAge {
		return k.queues, true
	}
	k.reading = true
	return nil, false
}
