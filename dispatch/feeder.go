package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Topic is the bell that is rung when rows wait to be fed.
const Topic = worker.FeedTopic

// claimTTL is how long a feeder may take for one chunk; pushTimeout ends its
// try well before that.
const (
	claimTTL    = 20 * time.Second
	pushTimeout = 10 * time.Second
)

// chunkBytes bounds the params of one chunk, give or take those of a row.
const chunkBytes = 8 << 20

// Options tunes a Feeder. The zero value works.
type Options struct {
	// Window is how many jobs of one tenant and kind may be in Redis, not at
	// rest. Default 10,000.
	Window int64

	// Chunk is how many jobs are pushed at once. Default 2,000.
	Chunk int64

	// Poll is how often to look without being woken. Default 1s.
	Poll time.Duration

	// Log gets faults. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Window = cmp.Or(o.Window, 10_000)
	o.Chunk = min(cmp.Or(o.Chunk, 2_000), o.Window)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}

// Feeder pushes waiting rows to the queue. Run it once.
type Feeder struct {
	tasks  *tasks.Store
	events *events.Store
	client *queue.Client
	kinds  *worker.Registry
	opt    Options
	nudge  chan struct{}
	mark   atomic.Pointer[string] // of the Redis that was last found to be ours
}

// NewFeeder returns a feeder for the kinds of a registry.
func NewFeeder(ts *tasks.Store, es *events.Store, c *queue.Client, kinds *worker.Registry, opt Options) *Feeder {
	return &Feeder{
		tasks: ts, events: es, client: c, kinds: kinds, opt: opt.withDefaults(),
		nudge: make(chan struct{}, 1),
	}
}

// Wake makes the feeder look now: jobs have come to rest, or rows were added.
func (f *Feeder) Wake() {
	select {
	case f.nudge <- struct{}{}:
	default:
	}
}

// Run feeds until ctx ends.
func (f *Feeder) Run(ctx context.Context) {
	bell, stop := f.client.Listen(Topic)
	defer stop()
	poll := time.NewTicker(f.opt.Poll)
	defer poll.Stop()
	for {
		if err := f.Feed(ctx); err != nil && ctx.Err() == nil {
			f.mark.Store(nil) // until Redis is found to be ours again
			f.opt.Log.Error("feeding failed", "err", err)
			sleep(ctx, f.opt.Poll)
		}
		select {
		case <-ctx.Done():
			return
		case <-f.nudge:
		case <-bell:
		case <-poll.C:
		}
	}
}

// Feed pushes what may be pushed now: round after round, a chunk for each
// tenant and kind in turn, until nothing more fits. A lane that cannot be fed
// holds up no other.
func (f *Feeder) Feed(ctx context.Context) error {
	for {
		if ready, err := f.reconcile(ctx); err != nil || !ready {
			return err
		}
		feeds, err := f.tasks.Feeds(ctx)
		if err != nil {
			return err
		}
		pushed, faults := int64(0), []error(nil)
		for _, turn := range turns(feeds, f.opt) {
			if _, ok := f.kinds.Kind(turn.feed.Kind); !ok {
				continue
			}
			n, err := f.feed(ctx, turn)
			faults = append(faults, err)
			pushed += n
		}
		if err := errors.Join(faults...); err != nil || pushed == 0 {
			return err
		}
	}
}

// feed pushes the next rows of one task; more than 0 if it has moved on.
func (f *Feeder) feed(ctx context.Context, t turn) (int64, error) {
	claim, err := f.tasks.ClaimFeed(ctx, t.feed, claimTTL)
	if err != nil || claim == 0 {
		return 0, err
	}
	next, pushed, pushErr := f.push(ctx, t)
	if pushErr != nil {
		return 0, errors.Join(pushErr, f.tasks.DoubtFeed(ctx, t.feed, claim))
	}
	waited := pushed
	switch {
	case t.feed.Again():
		waited = 0
	case next.Fed == t.feed.Total: // rows that ended before they were noted count too
		waited = t.feed.Unfed
	}
	err = f.tasks.AdvanceFeed(ctx, next, claim, waited)
	if errors.Is(err, tasks.ErrClaimLost) {
		err = nil // Redis was wiped meanwhile: these rows are pushed again
	}
	if next != t.feed {
		pushed = max(pushed, 1) // rows that have ended are passed by: go on
	}
	return pushed, err
}

// push pushes the next rows of a task and tells how far it came. Rows of a
// second feeding come first, and all of them count.
func (f *Feeder) push(ctx context.Context, t turn) (next tasks.Feed, pushed int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	next = t.feed
	low, high, at := t.feed.Fed, t.feed.Total, &next.Fed
	if t.feed.Again() {
		low, high, at = t.feed.AgainFrom, t.feed.AgainTo, &next.AgainFrom
	}
	rows, full, err := f.events.Pending(ctx, t.feed.Num, low, high,
		events.Page{Rows: int(t.room), Bytes: chunkBytes})
	if err != nil {
		return next, 0, err
	}
	jobs := make([]queue.Job, len(rows))
	for i := range rows {
		jobs[i] = f.jobOf(t.feed, &rows[i])
	}
	if err := f.client.Push(ctx, jobs...); err != nil {
		return next, 0, fmt.Errorf("dispatch: feed task %d: %w", t.feed.Num, err)
	}
	failpoint.Hit("pushed")
	if *at = high; full {
		*at = rows[len(rows)-1].ID.Seq()
	}
	return next, int64(len(rows)), nil
}

// jobOf is one row as the queue gets it. Rows without a key are their own key;
// keys of different tenants never meet. A row that may have been pushed before
// says so.
func (f *Feeder) jobOf(feed tasks.Feed, e *events.Event) queue.Job {
	payload := worker.Envelope{
		Event: e.ID, TaskID: feed.TaskID, Tenant: feed.Tenant, Mark: f.Mark(), Row: e.Row,
		Attempt: e.Attempt, Params: []byte(e.Params),
	}.Pack()
	key := cmp.Or(e.Key, e.ID.JobID(feed.TaskID))
	return queue.Job{
		Queue: feed.Kind, Key: feed.Tenant + "/" + key, Payload: payload, Score: float64(e.ID),
		Redelivered: feed.Again() || feed.ClaimedUntil != 0,
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
