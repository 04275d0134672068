package reconcile

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CancelTopic is the queue topic that wakes the cancelers when a task is being canceled.
const CancelTopic = "cancel"

// cancelTTL is the longest time for which a canceler claims a task. visitRanges is the number of ranges
// that a canceler cancels before it continues with the next task. cancelRows is the number of rows of a
// range.
const (
	cancelTTL   = 20 * time.Second
	visitRanges = 5
	cancelRows  = 5_000
)

// CancelerOptions holds the settings of a Canceler. The zero value is valid.
type CancelerOptions struct {
	// Grace is the time between the cancel of a task and the cancel of its pushed rows. After this time,
	// every process has read the cancel and has recorded which rows it runs. Grace must be at least
	// feed.PollValidity plus the duration of a commit. Default 3s.
	Grace time.Duration

	// Poll is the longest pause between two searches for canceled tasks. Default 1s.
	Poll time.Duration

	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Log receives errors. Default: none.
	Log *slog.Logger
}

func (o CancelerOptions) withDefaults() CancelerOptions {
	o.Grace = cmp.Or(o.Grace, 3*time.Second)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Canceler is a loop that cancels the rows of tasks that are being canceled. Rows that were never
// pushed are canceled at once. Pushed rows are canceled after CancelerOptions.Grace, unless a worker
// has fetched them. A fetched row ends with its run, or is canceled when the worker returns it. A
// Canceler keeps its progress only in memory, so several processes may run a Canceler, and each may
// stop at any time.
type Canceler struct {
	tasks  *tasks.Store
	lanes  *lanes.Store
	events *events.Store
	client *queue.Client
	opt    CancelerOptions
	seen   map[int64]*canceling
	mark   string // generation mark of Redis at the last search
}

// canceling is the progress of a canceler with one task.
type canceling struct {
	since time.Time // first seen by this process, by its own clock
	top   int64     // rows that were never pushed are canceled up to this seq; 0 if not started
	low   int64     // pushed rows are canceled up to this seq
	rest  time.Time // pushed rows are not read again before this time
}

// NewCanceler returns a canceler.
func NewCanceler(ts *tasks.Store, es *events.Store, c *queue.Client, opt CancelerOptions) *Canceler {
	return &Canceler{tasks: ts, lanes: lanes.New(ts), events: es, client: c, opt: opt.withDefaults(), seen: map[int64]*canceling{}}
}

// Run cancels until ctx ends.
func (c *Canceler) Run(ctx context.Context) {
	notify, stop := c.client.Subscribe(CancelTopic)
	defer stop()
	periodic.Loop{Every: c.opt.Poll, Notify: notify, Log: c.opt.Log, Failed: "canceling tasks failed"}.Run(ctx, c.Cancel)
}

// Cancel cancels all rows that can be canceled now. After an error with one task, Cancel visits each other
// task, and then returns all errors joined.
func (c *Canceler) Cancel(ctx context.Context) error {
	for {
		list, err := c.tasks.Cancels(ctx)
		if err == nil {
			err = c.forget(ctx, list)
		}
		if err != nil {
			return err
		}
		again, faults := false, []error(nil)
		for _, t := range list {
			more, err := c.visit(ctx, t)
			again = again || more
			faults = append(faults, err)
		}
		if err := errors.Join(faults...); err != nil || !again || ctx.Err() != nil {
			return err
		}
	}
}

// forget removes the progress of tasks that are no longer being canceled. It removes all progress
// when the generation mark of Redis changes, because canceled rows may wait again after a restore of the
// ledger.
func (c *Canceler) forget(ctx context.Context, list []tasks.Cancel) error {
	live := map[int64]*canceling{}
	if len(list) > 0 {
		now, err := c.lanes.Generations(ctx)
		if err != nil {
			return err
		}
		if now.Redis != c.mark {
			c.seen, c.mark = live, now.Redis
		}
	}
	for _, t := range list {
		live[t.Num] = c.seen[t.Num]
	}
	c.seen = live
	return nil
}

// visit cancels up to visitRanges ranges of one task, unless another process has claimed the task. It reports
// whether more rows can be canceled now.
func (c *Canceler) visit(ctx context.Context, t tasks.Cancel) (more bool, err error) {
	if t.From < 0 { // the service canceled the task, so its feed is not stopped yet
		return true, c.tasks.StopFeed(ctx, t.Num)
	}
	at := c.seen[t.Num]
	if at == nil {
		n, err := c.cancelChildren(ctx, t)
		if err != nil {
			return false, err
		}
		at = &canceling{since: c.opt.Now()}
		c.seen[t.Num] = at
		if n > 0 {
			return true, nil // the next call finds the children
		}
	}
	if mine, err := c.tasks.ClaimCancel(ctx, t.Num, cancelTTL); err != nil || !mine {
		return false, err
	}
	for range visitRanges {
		if more, err = c.next(ctx, t, at); err != nil || !more {
			break
		}
	}
	_, release := c.tasks.ClaimCancel(ctx, t.Num, 0)
	return more, errors.Join(err, release)
}

// cancelChildren cancels the children of a task, and returns their number. A task that is being
// canceled gets no further children.
func (c *Canceler) cancelChildren(ctx context.Context, t tasks.Cancel) (n int, err error) {
	list, err := c.tasks.Children(ctx, t.Num)
	if err != nil {
		return 0, err
	}
	for _, child := range list {
		err := c.tasks.Cancel(ctx, t.Tenant, child.ID)
		if err != nil && !errors.Is(err, tasks.ErrStatus) {
			return 0, err
		}
	}
	return len(list), nil
}
