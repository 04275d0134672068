package dispatch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Topic is the bell that is rung when rows wait to be fed.
const Topic = worker.FeedTopic

// claimTTL is how long a feeder may take for one chunk; pushTimeout ends its
// try well before that. leaveTimeout bounds how long a feeder that ends gives claims back.
const (
	claimTTL     = 20 * time.Second
	pushTimeout  = 10 * time.Second
	leaveTimeout = time.Second
)

// What a chunk, and a window of a lane whose rows are known, may hold of
// params, give or take those of a row.
const (
	chunkBytes  = 4 << 20
	windowBytes = 12 << 20
)

// roundTime is how long turns may be taken by one look at the ledger.
const roundTime = 500 * time.Millisecond

// Options tunes a Feeder. The zero value works.
type Options struct {
	// Window is the most jobs of one tenant and kind that may be in Redis, not
	// at rest. Fewer are while the workers take fewer in a quarter of a second, or when
	// they are large. Default 10,000.
	Window int64

	// Least is how many of them may wait for a worker however slow the workers
	// are: more than run at once, or some stand idle. Tenants whose rows of one kind wait
	// share the sum by their weights. Default 64.
	Least int64

	// Chunk is how many jobs are pushed at once. Default 4,000: each push costs two commits
	// beside its rows.
	Chunk int64

	// Poll is how often to look without being woken. Default 1s.
	Poll time.Duration

	// StaleAfter is how long a job may hold a slot of its tenant, running or
	// waiting for a retry, before it stops counting. It is found out up to a
	// twelfth of that late. Default 6h.
	StaleAfter time.Duration

	// Settle is how long a node that has lost its Redis may go on with what it
	// had leased from it: nothing is fed again before. Default 0: nobody has.
	Settle time.Duration

	// Canceling is called after each look with the ids of the tasks that are
	// being canceled, from the feeder's goroutine. Default: nothing.
	Canceling func(taskIDs []string)

	// Fed is called after each push, from the feeder's goroutine. Default:
	// nothing.
	Fed func(Fed)

	// Now tells the time. Default time.Now.
	Now func() time.Time

	// Log gets faults. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Window = cmp.Or(o.Window, 10_000)
	o.Chunk = min(cmp.Or(o.Chunk, 4_000), o.Window)
	o.Least = cmp.Or(o.Least, 64)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.StaleAfter = cmp.Or(o.StaleAfter, 6*time.Hour)
	if o.Canceling == nil {
		o.Canceling = func([]string) {}
	}
	if o.Fed == nil {
		o.Fed = func(Fed) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
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
	wake   periodic.Wake
	marks  atomic.Pointer[marks] // of the last look, if Redis was found to be ours
	pace   *pace
	aging  time.Time // when stale slots are looked for next

	compared time.Time // when the commits of the ledger were last held against Redis

	owed    []tasks.Grant // claims that could not be given back
	born    time.Time
	known   atomic.Pointer[string] // mark of the Redis that was last found to be ours
	lost    atomic.Pointer[string] // mark of a Redis that has lost writes since
	doubted atomic.Int64           // ns since born; a look that began before may be wrong by now
}

// NewFeeder returns a feeder for the kinds of a registry.
func NewFeeder(ts *tasks.Store, es *events.Store, c *queue.Client, kinds *worker.Registry, opt Options) *Feeder {
	opt = opt.withDefaults()
	return &Feeder{
		tasks: ts, events: es, client: c, kinds: kinds, opt: opt, pace: newPace(opt),
		wake: periodic.NewWake(), born: time.Now(),
	}
}

// Wake makes the feeder look now: jobs have come to rest, or rows were added.
func (f *Feeder) Wake() { f.wake.Signal() }

// Run feeds until ctx ends, and gives the claims of lanes back that it still has.
func (f *Feeder) Run(ctx context.Context) {
	topics := []string{Topic}
	for _, kind := range f.kinds.Kinds() {
		topics = append(topics, queue.WantedTopic(kind.Name))
	}
	bell, stop := f.client.Listen(topics...)
	defer stop()
	periodic.Loop{
		Every: f.opt.Poll, Wake: f.wake, Bell: bell, Log: f.opt.Log, Failed: "feeding failed",
	}.Run(ctx, f.Feed)
	f.leave(ctx)
}

// leave gives claims back whose notes ctx has broken off, so that another feeder goes on at once.
func (f *Feeder) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	if err := f.payBack(ctx); err != nil {
		f.opt.Log.Warn("feeding: claims are not given back, and run out", "err", err)
	}
}

// Feed pushes what may be pushed now: round after round, a chunk for each
// tenant and kind in turn, until nothing more fits. A lane that cannot be fed
// holds up no other. Call it from one goroutine at a time.
func (f *Feeder) Feed(ctx context.Context) error {
	for {
		ready, err := f.reconcile(ctx)
		if err != nil {
			f.marks.Store(nil) // until Redis is found to be ours again
		}
		if err != nil || !ready {
			return err
		}
		if err := f.payBack(ctx); err != nil {
			return err
		}
		if err := f.age(ctx); err != nil {
			return err
		}
		lanes, err := f.look(ctx)
		if err != nil {
			return err
		}
		pushed, err := f.round(ctx, lanes)
		if err != nil || pushed == 0 {
			return err
		}
	}
}

// look passes the ids of tasks that are being canceled to Options.Canceling. It returns the
// lanes that have something to push, of the kinds that this process registers.
func (f *Feeder) look(ctx context.Context) ([]tasks.FeedLane, error) {
	cancels, err := f.tasks.Cancels(ctx)
	if err != nil {
		return nil, err
	}
	var canceling []string
	for _, one := range cancels {
		canceling = append(canceling, one.TaskID)
	}
	f.opt.Canceling(canceling)
	lanes, err := f.tasks.Lanes(ctx)
	if err != nil {
		return nil, err
	}
	lanes = slices.DeleteFunc(lanes, func(l tasks.FeedLane) bool {
		_, known := f.kinds.Kind(l.Kind)
		return !known
	})
	for _, l := range lanes {
		kind, _ := f.kinds.Kind(l.Kind)
		f.pace.flow(l.ID).together = kind.Batch || kind.Latest
	}
	f.pace.learn(f.opt.Now(), lanes)
	return lanes, nil
}

// round gives each lane its turn. It is broken off when the look that it is
// made by is old: the lanes that got no turn are the first of the next round.
func (f *Feeder) round(ctx context.Context, lanes []tasks.FeedLane) (pushed int64, err error) {
	end := f.opt.Now().Add(roundTime)
	wanted, err := f.wanted(ctx, lanes)
	faults := []error{err}
	for _, l := range f.pace.turns(lanes) {
		if f.opt.Now().After(end) {
			return max(pushed, 1), errors.Join(faults...)
		}
		f.pace.flow(l.ID).served = f.pace.round
		n, err := f.turn(ctx, l, wanted.keys[l.ID], wanted.full[l.Kind])
		faults = append(faults, err)
		pushed += n
	}
	return pushed, errors.Join(faults...)
}

// turn pushes held rows of keys of a lane that have room in Redis, and then its next rows.
// hide reports whether keys that are not pushed hide those of other lanes.
func (f *Feeder) turn(ctx context.Context, l tasks.FeedLane, keys []string, hide bool) (n int64, err error) {
	if !l.TenantPaused {
		if n, err = f.stir(ctx, l); err != nil {
			return n, err
		}
	}
	if len(keys) > 0 {
		released, left, err := f.release(ctx, l, keys)
		if err == nil && hide {
			err = f.putOff(ctx, l, left)
		}
		if n += released; err != nil {
			return n, err
		}
	}
	pushed, err := f.feed(ctx, l)
	return n + pushed, err
}

// feed pushes the next rows of a lane; more than 0 if it has moved on. A push that
// Redis took in part is noted as far as it came, and the next one begins there.
func (f *Feeder) feed(ctx context.Context, l tasks.FeedLane) (int64, error) {
	fl := f.pace.flow(l.ID)
	if err := f.begun(ctx, &fl.back); err != nil {
		return 0, err
	}
	var next choice
	grant, err := f.tasks.ClaimLane(ctx, f.marks.Load().redis, l.ID, claimTTL, func(h tasks.Heads) tasks.Pick {
		next = f.pace.choose(l, h)
		return next.Pick
	})
	if err != nil || grant.None() {
		return 0, f.owe(grant, err)
	}
	push := f.push
	if next.back {
		push = f.pushBack
	}
	n, fault := push(ctx, grant)
	pushed := n.pushed
	err = f.tasks.AdvanceLane(ctx, grant, n.steps, n.shift)
	if err != nil && !errors.Is(err, tasks.ErrClaimLost) { // a Redis wiped, a task canceled or done
		return 0, errors.Join(fault, f.owe(grant, err))
	}
	failpoint.Hit("noted")
	if err := f.report(ctx, l, n.keys); err != nil {
		return pushed, errors.Join(fault, err)
	}
	for i, one := range n.steps {
		if one.Feed != grant.Feeds[i] {
			pushed = max(pushed, 1) // rows that have ended are passed by: go on
		}
	}
	return pushed, fault
}

// owe remembers a claim that could not be given back because of err, so that
// no feeder has to wait until it runs out.
func (f *Feeder) owe(grant tasks.Grant, err error) error {
	if errors.Is(err, tasks.ErrSetBack) { // the ledger granted no rows and may lack rows that were fed
		f.Doubt()
		return err
	}
	if err != nil && !grant.None() {
		f.owed = append(f.owed, grant)
	}
	return err
}

// payBack gives back what is owed. Whether the push was noted is found out by
// the way: then the claim is gone.
func (f *Feeder) payBack(ctx context.Context) error {
	for len(f.owed) > 0 {
		if err := f.doubt(ctx, f.owed[0]); err != nil {
			return err
		}
		f.owed = f.owed[1:]
	}
	return nil
}

// doubt notes that a push may have reached Redis or not, all of it.
func (f *Feeder) doubt(ctx context.Context, grant tasks.Grant) error {
	steps := make([]tasks.Step, len(grant.Feeds))
	for i, feed := range grant.Feeds {
		steps[i] = tasks.Step{Feed: feed, Doubted: max(feed.Doubted, grant.Reach)}
	}
	err := f.tasks.AdvanceLane(ctx, grant, steps, tasks.Shift{Doubted: grant.Held})
	if errors.Is(err, tasks.ErrClaimLost) {
		return nil // a task was canceled meanwhile: its rows ask the ledger
	}
	return err
}

// rangeOf is where the next rows of a task are. Rows of a second feeding come first.
func (f *Feeder) rangeOf(feed tasks.Feed) events.Range {
	if !feed.Again() {
		return events.Range{Num: feed.Num, After: feed.Fed, Last: feed.Total, Back: true}
	}
	return events.Range{Num: feed.Num, After: feed.AgainFrom, Last: feed.AgainTo, Back: true}
}

// fits reports whether the resubmitted rows of a task keep their place between those of a
// second feeding: there is room for all of them.
func (f *Feeder) fits(feed tasks.Feed) bool {
	fl := f.pace.flow(feed.Lane)
	return feed.Slots == 0 && feed.Back <= f.pace.most(fl)-fl.inRedis && feeding(feed)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
