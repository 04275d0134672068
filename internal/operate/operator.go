package operate

import (
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// ErrQueue means that the queue is unreachable. Changes that were already made remain. A repeated
// call continues with the rest.
var ErrQueue = errors.New("the queue is unreachable")

// queueErr wraps an error of the queue. It returns nil for a queue that does not exist in Redis,
// since such a queue has no jobs.
func queueErr(err error) error {
	if err == nil || errors.Is(err, queue.ErrUnknownQueue) {
		return nil
	}
	return fmt.Errorf("operate: %w: %w", ErrQueue, err)
}

// Options holds the settings of an Operator. The zero value is valid.
type Options struct {
	// Now returns the time of recorded changes. Default time.Now.
	Now func() time.Time
}

// Operator is the executor of acts of operators on queues. Create it with New. It is safe for concurrent
// use.
type Operator struct {
	tasks  *tasks.Store
	events *events.Store
	review *review.Reviewer
	admin  *queue.Admin
	kinds  *jobs.Registry
	now    func() time.Time
}

// New returns an operator for the kinds of a registry.
func New(ts *tasks.Store, es *events.Store, c *queue.Client, kinds *jobs.Registry, opt Options) *Operator {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	reviewer := review.New(es, kinds, review.Options{Now: opt.Now})
	return &Operator{ts, es, reviewer, c.Admin(), kinds, opt.Now}
}
