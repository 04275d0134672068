package workertest

import (
	"sync"
	"time"
)

// clock stands still but for a microsecond at each look, so that no two things
// happen at the same time.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { return c.add(time.Microsecond) }

func (c *clock) add(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}
