package feed

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Topic is the topic of queue.Client.Notify for rows that wait to be pushed.
const Topic = jobs.FeedTopic

// claimTTL is how long a claim lasts. In this time, a feeder pushes and records one chunk. pushTimeout
// bounds the push, so that it ends before the claim expires. leaveTimeout bounds the release of claims by a
// feeder that stops.
const (
	claimTTL     = 20 * time.Second
	pushTimeout  = 10 * time.Second
	leaveTimeout = time.Second
)

// chunkBytes bounds the size of the params of a chunk. windowBytes bounds the size of the rows of a lane
// in Redis, once their mean size is known. A single row may be larger.
const (
	chunkBytes  = 4 << 20
	windowBytes = 12 << 20
)

// pollTime is the time after which a poll serves no further lane.
const pollTime = 500 * time.Millisecond

// Feeder is a loop that pushes waiting rows to the queue. Call Run only once.
type Feeder struct {
	tasks      *tasks.Store
	lanes      *lanes.Store
	events     *events.Store
	pending    *pending.Store
	client     *queue.Client
	kinds      *jobs.Registry
	opt        Options
	wake       periodic.Wake
	generation atomic.Pointer[generation] // of the last poll; nil if Redis does not have the generation mark of the ledger
	windows    *windows
	nextExpiry time.Time // when stale slots are searched next

	compared time.Time // when the commits of the ledger were last compared with Redis

	unreleased  []lanes.LaneClaim // claims that could not be released
	born        time.Time
	known       atomic.Pointer[string] // mark of the Redis that last matched the ledger
	lost        atomic.Pointer[string] // mark of a Redis that has lost writes since
	invalidated atomic.Int64           // ns since born; a poll that began before is not valid
}

// NewFeeder returns a feeder for the kinds of a registry.
func NewFeeder(ts *tasks.Store, es *events.Store, c *queue.Client, kinds *jobs.Registry, opt Options) *Feeder {
	opt = opt.withDefaults()
	return &Feeder{
		tasks: ts, lanes: lanes.New(ts), events: es, pending: pending.New(es), client: c, kinds: kinds, opt: opt, windows: newWindows(opt),
		wake: periodic.NewWake(), born: time.Now(),
	}
}

// Wake makes the feeder poll at once. Call it when jobs have ended, or rows were added.
func (f *Feeder) Wake() { f.wake.Signal() }

// Run feeds until `ctx` ends, and then releases the claims of lanes that it still has.
func (f *Feeder) Run(ctx context.Context) {
	topics := []string{Topic}
	for _, kind := range f.kinds.Kinds() {
		topics = append(topics, queue.WantedTopic(kind.Name))
	}
	notify, stop := f.client.Subscribe(topics...)
	defer stop()
	periodic.Loop{
		Every: f.opt.Poll, Wake: f.wake, Notify: notify, Log: f.opt.Log, Failed: "feeding rows to Redis failed",
	}.Run(ctx, f.Feed)
	f.leave(ctx)
}

// Feed pushes all rows that may be pushed now. It polls the ledger and serves each lane once, until no
// further rows fit or a poll returns an error. A lane that cannot be fed does not delay the others.
// While another process schedules a second feeding, Feed pushes nothing. Call Feed from one goroutine at
// a time.
func (f *Feeder) Feed(ctx context.Context) error {
	for {
		ready, err := f.reconcile(ctx)
		if err != nil {
			f.generation.Store(nil) // until Redis matches the ledger again
		}
		if err != nil || !ready {
			return err
		}
		if err := f.releaseClaims(ctx); err != nil {
			return err
		}
		if err := f.expireSlots(ctx); err != nil {
			return err
		}
		active, err := f.readLanes(ctx)
		if err != nil {
			return err
		}
		pushed, err := f.serveLanes(ctx, active)
		if err != nil || pushed == 0 {
			return err
		}
	}
}

// readLanes passes the ids of tasks that are being canceled to Options.OnCanceling. It returns the
// lanes with rows to push, of the kinds that this process registers, and updates their windows.
func (f *Feeder) readLanes(ctx context.Context) ([]lanes.Lane, error) {
	cancels, err := f.tasks.Cancels(ctx)
	if err != nil {
		return nil, err
	}
	var canceling []string
	for _, cancel := range cancels {
		canceling = append(canceling, cancel.TaskID)
	}
	f.opt.OnCanceling(canceling)
	active, err := f.lanes.Lanes(ctx)
	if err != nil {
		return nil, err
	}
	active = slices.DeleteFunc(active, func(l lanes.Lane) bool {
		_, known := f.kinds.Kind(l.Kind)
		return !known
	})
	for _, l := range active {
		kind, _ := f.kinds.Kind(l.Kind)
		f.windows.lane(l.ID).together = kind.Batch || kind.Latest
	}
	f.windows.observe(f.opt.Now(), active)
	return active, nil
}

// serveLanes serves each lane once. It ends early after pollTime, because its list of lanes is then
// outdated. After an early end, the result `pushed` is above 0, so that the caller polls again. Lanes
// that were not served come first in the next poll.
func (f *Feeder) serveLanes(ctx context.Context, active []lanes.Lane) (pushed int64, err error) {
	end := f.opt.Now().Add(pollTime)
	wanted, err := f.readWanted(ctx, active)
	faults := []error{err}
	for _, l := range f.windows.order(active) {
		if f.opt.Now().After(end) {
			return max(pushed, 1), errors.Join(faults...)
		}
		f.windows.lane(l.ID).served = f.windows.poll
		n, err := f.serve(ctx, l, wanted.keys[l.ID], wanted.full[l.Kind])
		faults = append(faults, err)
		pushed += n
	}
	return pushed, errors.Join(faults...)
}
