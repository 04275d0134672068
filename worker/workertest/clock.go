package workertest

import (
	"sync"
	"time"
)

// clock is a clock that the test moves. It advances by a microsecond at each read, so that no two
// reads return the same time.
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
