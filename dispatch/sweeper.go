package dispatch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// sweepTurn is how long the turn of a sweeper lasts beyond its last step;
// sweepTimeout bounds what it does about one task.
const (
	sweepTurn    = 5 * time.Minute
	sweepTimeout = 2 * time.Minute
)

// oddFeeds is how many tasks without a feed one sweep mends.
const oddFeeds = 100

// SweeperOptions tunes a Sweeper. The zero value works.
type SweeperOptions struct {
	// Every is how often to look. Default 1 minute.
	Every time.Duration

	// Quiet is how long a task, or a running job, must not have moved to be
	// looked at. Default 2 minutes.
	Quiet time.Duration

	// Full is how often a task is looked at that does move: some of its jobs
	// may be stalled all the same. Default 10 minutes.
	Full time.Duration

	// Now tells the time. Default time.Now.
	Now func() time.Time

	// Log gets every repair, and faults. Default: none.
	Log *slog.Logger
}

func (o SweeperOptions) withDefaults() SweeperOptions {
	o.Every = cmp.Or(o.Every, time.Minute)
	o.Quiet = cmp.Or(o.Quiet, 2*time.Minute)
	o.Full = cmp.Or(o.Full, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Repairs counts what a sweeper has mended.
type Repairs struct {
	Fed    int64 // jobs that were nowhere in Redis, fed again
	Ended  int64 // jobs in the morgue, ended as errors
	Listed int64 // keys whose jobs waited in Redis in no list, listed again
	Mended int64 // tasks whose counts or feed were wrong
}

// Sweeper finds jobs that are stalled because Redis and the ledger do not
// agree, and repairs that. Any number may run; one at a time does the work.
type Sweeper struct {
	seeker
	kinds *worker.Registry
	opt   SweeperOptions
	who   string
	last  map[int64]time.Time // by number of a task: when it was looked at

	listed map[string]time.Time // by kind: when stranded keys were looked for

	mu    sync.Mutex
	total Repairs
}

// NewSweeper returns a sweeper for the kinds of a registry.
func NewSweeper(
	ts *tasks.Store, es *events.Store, c *queue.Client, kinds *worker.Registry, opt SweeperOptions,
) *Sweeper {
	return &Sweeper{
		seeker: seeker{ts, es, c}, kinds: kinds, opt: opt.withDefaults(), who: uuid.NewString(),
		last: map[int64]time.Time{}, listed: map[string]time.Time{},
	}
}

// Repairs is what this sweeper has mended since it was made.
func (s *Sweeper) Repairs() Repairs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Run sweeps until ctx ends. Call it once.
func (s *Sweeper) Run(ctx context.Context) {
	if sleep(ctx, s.opt.Every); ctx.Err() != nil {
		return
	}
	periodic.Loop{Every: s.opt.Every, Log: s.opt.Log, Failed: "sweeping failed"}.Run(ctx, s.Sweep)
}

// Sweep looks once, unless another sweeper is at it. A task that cannot be
// looked at holds up no other.
func (s *Sweeper) Sweep(ctx context.Context) error {
	mine, err := s.tasks.Turn(ctx, tasks.Sweeping, s.who, sweepTurn)
	if err != nil || !mine {
		return err
	}
	faults := []error{s.odd(ctx)}
	mark, ours, err := s.ours(ctx)
	if err != nil || !ours { // all will be fed again
		return errors.Join(append(faults, err)...)
	}
	feeds, err := s.tasks.Feeds(ctx)
	if err != nil {
		return errors.Join(append(faults, err)...)
	}
	seen, looked := map[int64]time.Time{}, map[string]bool{}
	for _, feed := range feeds {
		if _, known := s.kinds.Kind(feed.Kind); known {
			before := s.last[feed.Num]
			faults = append(faults, s.visit(ctx, mark, feed))
			seen[feed.Num] = s.last[feed.Num]
			looked[feed.Kind] = looked[feed.Kind] || seen[feed.Num] != before
		}
		if mine, err := s.tasks.Turn(ctx, tasks.Sweeping, s.who, sweepTurn); err != nil || !mine {
			return errors.Join(append(faults, err)...)
		}
	}
	s.last = seen
	return errors.Join(append(faults, s.relist(ctx, looked)...)...)
}

// odd mends tasks whose feed is missing, or should be.
func (s *Sweeper) odd(ctx context.Context) error {
	nums, err := s.tasks.OddFeeds(ctx, oddFeeds)
	for _, num := range nums {
		err = errors.Join(err, s.mend(ctx, num))
	}
	return err
}

func (s *Sweeper) mend(ctx context.Context, num int64) error {
	mended, err := s.events.Mend(ctx, num)
	if err != nil || len(mended) == 0 {
		return err
	}
	s.opt.Log.Warn("mended a task", "task", num, "differences", mended)
	s.count(Repairs{Mended: 1})
	return nil
}

func (s *Sweeper) count(r Repairs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.Fed += r.Fed
	s.total.Ended += r.Ended
	s.total.Listed += r.Listed
	s.total.Mended += r.Mended
}

// visit looks at a task that has not moved for a while, or that was not looked
// at for long.
func (s *Sweeper) visit(ctx context.Context, mark string, feed tasks.Feed) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	t, err := s.tasks.Get(ctx, feed.Tenant, feed.TaskID)
	if err != nil {
		return err
	}
	now := s.opt.Now()
	moved := time.UnixMilli(max(t.MovedAt, t.CreatedAt))
	if now.Sub(moved) < s.opt.Quiet && now.Sub(s.last[feed.Num]) < s.opt.Full {
		return nil
	}
	s.last[feed.Num] = now
	if t.TotalIsFinal && t.Enqueue+t.Working == 0 {
		return s.mend(ctx, feed.Num)
	}
	return s.strays(ctx, mark, feed, func(one stray) error { return s.repair(ctx, feed, one) })
}

// repair mends one stray. A job that may be at work somewhere is left alone
// until its time is over: fed again, it would run beside itself.
func (s *Sweeper) repair(ctx context.Context, feed tasks.Feed, one stray) error {
	kind, _ := s.kinds.Kind(feed.Kind)
	now := s.opt.Now()
	if e := one.event; !one.buried && e.Status == events.Working && e.StartedAt != nil &&
		now.Sub(time.UnixMilli(*e.StartedAt)) < max(kind.Timeout, s.opt.Quiet) {
		return nil
	}
	if err := s.mendStray(ctx, feed, one, now); err != nil {
		return err
	}
	s.opt.Log.Warn("mended a stalled job", "task", feed.TaskID, "job", one.event.ID.Seq(), "was", one.String())
	if one.buried {
		s.count(Repairs{Ended: 1})
	} else {
		s.count(Repairs{Fed: 1})
	}
	return nil
}
