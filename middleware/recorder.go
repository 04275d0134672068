package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// Ledger is the part of events.Store that a Recorder needs.
type Ledger interface {
	Point() events.Point
	RecordIn(ctx context.Context, turn int64, moves []events.Move) (made []bool, err error)
	States(ctx context.Context, ids []events.ID) (map[events.ID]events.State, error)
	Keep(ctx context.Context, r events.Run, data json.RawMessage) (json.RawMessage, error)
	Progress(ctx context.Context, r events.Run, p events.Progress) error
	Begin(ctx context.Context) (*events.GroupTx, error)
	OneWriter() bool
	Register(ctx context.Context, r events.Runner) (by int32, err error)
}

// Options tunes a Recorder. The zero value works.
type Options struct {
	// Announce is how long a handler runs before its event is written as
	// working; a shorter run is written once, with its outcome. Default 100ms.
	Announce time.Duration

	// Group bounds how many moves are committed at once. Default 2000.
	Group int

	// Worker names this process in the message log. Default empty.
	Worker string

	// Build is the version of this program: rows can be found by it. Default empty.
	Build string

	// Client is what handlers make further work with. Default: nil.
	Client *worker.Client

	// Parts is where the rows of exports go. Default: they cannot be written.
	Parts worker.PartFiles

	// Standing tells what to do with a job of a tenant that carries a mark: to
	// ask the ledger before it runs, or to drop it, for it has been or will be
	// pushed again. It may wait. After an error the job has to wait. Default:
	// every job may run.
	Standing func(ctx context.Context, tenant, mark string) (ask, gone bool, err error)

	// Attest is called after each commit, before the queue forgets a job because of it,
	// from the recorder's goroutine. An error delays nothing. Default: nothing.
	Attest func(ctx context.Context) error

	// SetBack is called when the ledger lacks commits of this process, before the jobs
	// of the group that it refused go back to the queue. Default: nothing.
	SetBack func()

	// Committed is called after each group, from the recorder's goroutine.
	// Default: nothing.
	Committed func()

	// Begin is called before a handler is, and makes the context that the handler
	// gets, and Ran. It must not wait. Default: it leaves the context as it is.
	Begin func(ctx context.Context, calls []*worker.Call) context.Context

	// Ran is called after each run of a job, of untracked kinds too, from the
	// goroutine of its handler and with its context. It must not wait, nor keep
	// the call. Default: nothing.
	Ran func(ctx context.Context, r Ran)

	// Grouped is called after each commit, with how many moves it wrote and what
	// it took, all tries together. Default: nothing.
	Grouped func(moves int, took time.Duration)

	// Now tells the time. Default time.Now.
	Now func() time.Time

	// Log gets faults of the ledger. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Announce = cmp.Or(o.Announce, 100*time.Millisecond)
	o.Group = cmp.Or(o.Group, 2000)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Standing == nil {
		o.Standing = func(context.Context, string, string) (bool, bool, error) { return false, false, nil }
	}
	if o.Attest == nil {
		o.Attest = func(context.Context) error { return nil }
	}
	if o.SetBack == nil {
		o.SetBack = func() {}
	}
	if o.Committed == nil {
		o.Committed = func() {}
	}
	if o.Ran == nil {
		o.Ran = func(context.Context, Ran) {}
	}
	if o.Grouped == nil {
		o.Grouped = func(int, time.Duration) {}
	}
	return o
}

// runner names this process in the ledger.
func (o *Options) runner() events.Runner { return events.Runner{Worker: o.Worker, Build: o.Build} }

// Recorder commits outcomes in groups: while one group is being committed, the
// next gathers. Start it once; Stop commits what is left.
type Recorder struct {
	ledger Ledger
	opt    Options
	screen *screen

	mu        sync.Mutex
	ended     []*run                          // in the order they ended
	asked     []*ask                          // about jobs that may have run before
	live      map[*run]bool                   // begun, not ended, not announced
	flights   map[*flight]bool                // calls of handlers
	canceling atomic.Pointer[map[string]bool] // ids of tasks; nil if none
	wake      periodic.Wake                   // something ended
	idle      chan struct{}                   // closed when the loop has ended
	stop      chan struct{}                   // closed by Stop
	once      sync.Once                       // of stop
	drain     atomic.Bool                     // no further row is begun
	by        atomic.Int32                    // number of this process in the ledger; 0 until it is known
	turn      int64                           // of the last group
	abort     func()                          // gives up on a ledger that is away
	ctx       context.Context                 // of commits; lives until abort
}

// NewRecorder returns a recorder on ledger. It does nothing before Start.
func NewRecorder(ledger Ledger, opt Options) *Recorder {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recorder{
		ledger: ledger, opt: opt.withDefaults(), live: map[*run]bool{}, flights: map[*flight]bool{},
		ctx: ctx, abort: cancel,
		wake: periodic.NewWake(), idle: make(chan struct{}), stop: make(chan struct{}),
	}
	r.screen = newScreen(r)
	return r
}

// Start begins to commit. It registers this process first, before a handler holds the
// transaction of a database that takes one writer; it waits a second for that at most.
func (r *Recorder) Start() {
	if err := r.introduce(time.Second); err != nil {
		r.opt.Log.Warn("this process is not registered yet", "err", err)
	}
	go r.loop()
	go r.screen.loop()
}

// Drain keeps further rows from beginning, as before a stop: those that were
// fetched are put back.
func (r *Recorder) Drain() { r.drain.Store(true) }

// Stop commits what has ended and returns. A ledger that does not answer is
// given up after grace: those jobs stay in the queue and run again.
func (r *Recorder) Stop(grace time.Duration) {
	r.screen.close()
	r.once.Do(func() { close(r.stop) })
	select {
	case <-r.idle:
	case <-time.After(grace):
	}
	r.abort()
	<-r.idle
}

// begin notes that a run has started; if its handler takes long, its event is
// written as working.
func (r *Recorder) begin(x *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live[x] = true
}

// end hands over runs whose outcome is known.
func (r *Recorder) end(xs ...*run) {
	r.mu.Lock()
	for _, x := range xs {
		delete(r.live, x)
	}
	r.ended = append(r.ended, xs...)
	r.mu.Unlock()
	r.wake.Signal()
}

// drop forgets a run that has nothing to tell any more.
func (r *Recorder) drop(x *run) {
	r.screen.forget(x)
	r.mu.Lock()
	delete(r.live, x)
	r.mu.Unlock()
	x.next = queue.Outcome{Kind: queue.Return}
	x.delivery.Resolve(x.next)
	x.release()
}

func (r *Recorder) loop() {
	defer close(r.idle)
	tick := time.NewTicker(r.opt.Announce)
	defer tick.Stop()
	for {
		stopping := false
		select {
		case <-r.wake:
		case <-tick.C:
		case <-r.stop:
			stopping = true
		}
		for r.commit(r.take()) {
		}
		if stopping {
			return
		}
	}
}

// group is what is committed at once.
type group struct {
	ended     []*run
	announced []*run
	asked     []*ask
	turn      int64 // of all of its runs
}

// sign has the runs of the group name the process that ran them.
func (g group) sign(by int32) {
	for _, list := range [...][]*run{g.ended, g.announced} {
		for _, x := range list {
			x.by = by
		}
	}
	for _, q := range g.asked {
		q.x.by = by
	}
}

// heard notes that the announcements of the group were made, or were given up.
func (g group) heard() {
	for _, x := range g.announced {
		close(x.told)
	}
}

func (g group) empty() bool { return len(g.ended)+len(g.announced)+len(g.asked) == 0 }

// take removes the next group: runs that have ended, jobs that are asked about,
// and runs that have gone on for so long that they are to be announced.
func (r *Recorder) take() group {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.ended), r.opt.Group)
	g := group{ended: r.ended[:n:n], asked: r.asked}
	r.ended, r.asked = r.ended[n:], nil
	r.begins(&g)
	r.sift(&g)
	late := r.opt.Now().Add(-r.opt.Announce)
	for x := range r.live {
		if x.begun.Before(late) && x.since.Turn == g.turn && len(g.announced) < r.opt.Group {
			x.told = make(chan struct{})
			g.announced = append(g.announced, x)
			delete(r.live, x)
		}
	}
	return g
}
