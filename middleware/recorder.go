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
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
)

// Ledger is the part of events.Store that a Recorder uses.
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

// Options configures a Recorder. The zero value works.
type Options struct {
	// WorkingAfter is how long a handler runs before its event is written as working. A shorter run is
	// written once, with its outcome. Default 100ms.
	WorkingAfter time.Duration

	// Group is the most moves of one commit. Default 2000.
	Group int

	// Worker is the name of this process in the message log. Default empty.
	Worker string

	// Build is the version of this program, by which users can filter rows. Default empty.
	Build string

	// Client is the client of handlers for further work. Default: nil.
	Client *enqueue.Client

	// Parts stores the rows of exports. Default: none, so exports fail.
	Parts jobs.PartFiles

	// CheckGeneration returns what to do with a job of a tenant with a mark. If ask is true, the job
	// is checked in the ledger before it runs. If gone is true, the job is dropped, since it was or
	// will be pushed again. CheckGeneration may block. After an error the job waits. Default: every
	// job may run.
	CheckGeneration func(ctx context.Context, tenant, mark string) (ask, gone bool, err error)

	// Attest is called after each commit, before the queue removes its jobs, on the recorder's
	// goroutine. An error is logged and has no other effect. Default: none.
	Attest func(ctx context.Context) error

	// SetBack is called when the ledger lacks commits of this process, before the jobs of the
	// refused group go back to the queue. Default: none.
	SetBack func()

	// OnCommit is called after each group, on the recorder's goroutine. Default: none.
	OnCommit func()

	// OnStart is called before a handler, and returns the context for the handler and for OnRun. It
	// must not block. Default: the context stays unchanged.
	OnStart func(ctx context.Context, calls []*jobs.Call) context.Context

	// OnRun is called after each run of a job, also of untracked kinds, on the goroutine of its
	// handler and with its context. It must not block, and must not keep the call. Default: none.
	OnRun func(ctx context.Context, r Ran)

	// OnGroup is called after each commit, with the number of its moves and its duration over all
	// attempts. Default: none.
	OnGroup func(moves int, took time.Duration)

	// Now returns the current time. Default time.Now.
	Now func() time.Time

	// Log gets faults of the ledger. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.WorkingAfter = cmp.Or(o.WorkingAfter, 100*time.Millisecond)
	o.Group = cmp.Or(o.Group, 2000)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CheckGeneration == nil {
		o.CheckGeneration = func(context.Context, string, string) (bool, bool, error) { return false, false, nil }
	}
	if o.Attest == nil {
		o.Attest = func(context.Context) error { return nil }
	}
	if o.SetBack == nil {
		o.SetBack = func() {}
	}
	if o.OnCommit == nil {
		o.OnCommit = func() {}
	}
	if o.OnRun == nil {
		o.OnRun = func(context.Context, Ran) {}
	}
	if o.OnGroup == nil {
		o.OnGroup = func(int, time.Duration) {}
	}
	return o
}

// runner returns the identity of this process for the ledger.
func (o *Options) runner() events.Runner { return events.Runner{Worker: o.Worker, Build: o.Build} }

// Recorder commits outcomes in groups: during one commit, the next group collects. Start it once;
// Stop commits the rest.
type Recorder struct {
	ledger   Ledger
	opt      Options
	progress *progressWriter

	mu        sync.Mutex
	ended     []*run                          // in the order of their end
	rechecks  []*recheck                      // checks of jobs that may have run before
	live      map[*run]bool                   // started, not ended, not noted as working
	flights   map[*flight]bool                // calls of handlers
	canceling atomic.Pointer[map[string]bool] // ids of tasks; nil if none
	wake      periodic.Wake                   // signaled when a run has ended
	idle      chan struct{}                   // closed when the loop has ended
	stop      chan struct{}                   // closed by Stop
	once      sync.Once                       // of stop
	drain     atomic.Bool                     // no more rows start
	by        atomic.Int32                    // number of this process in the ledger; 0 while unknown
	turn      int64                           // of the last group
	abort     func()                          // gives up on an unreachable ledger
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
	r.progress = newScreen(r)
	return r
}

// Start starts to commit. It registers this process first, before a handler holds the transaction
// of a database with one writer. It waits at most a second for this.
func (r *Recorder) Start() {
	if err := r.introduce(time.Second); err != nil {
		r.opt.Log.Warn("this process is not registered yet", "err", err)
	}
	go r.loop()
	go r.progress.loop()
}

// Drain stops the start of rows, before a stop: fetched rows are put back.
func (r *Recorder) Drain() { r.drain.Store(true) }

// Stop commits the ended runs and returns. After grace it gives up on an unreachable ledger: those
// jobs stay in the queue and run again.
func (r *Recorder) Stop(grace time.Duration) {
	r.progress.close()
	r.once.Do(func() { close(r.stop) })
	select {
	case <-r.idle:
	case <-time.After(grace):
	}
	r.abort()
	<-r.idle
}

// begin records that a run has started. If its handler takes long, its event is written as working.
func (r *Recorder) begin(x *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live[x] = true
}

// end adds runs with a known outcome to the next groups.
func (r *Recorder) end(xs ...*run) {
	r.mu.Lock()
	for _, x := range xs {
		delete(r.live, x)
	}
	r.ended = append(r.ended, xs...)
	r.mu.Unlock()
	r.wake.Signal()
}

// drop drops a run whose outcome no longer counts.
func (r *Recorder) drop(x *run) {
	r.progress.forget(x)
	r.mu.Lock()
	delete(r.live, x)
	r.mu.Unlock()
	x.next = queue.Outcome{Kind: queue.Return}
	x.delivery.Resolve(x.next)
	x.release()
}

func (r *Recorder) loop() {
	defer close(r.idle)
	tick := time.NewTicker(r.opt.WorkingAfter)
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

// group is the content of one commit.
type group struct {
	ended        []*run
	workingNoted []*run
	rechecks     []*recheck
	turn         int64 // of all of its runs
}

// sign sets the process number of the group's runs.
func (g group) sign(by int32) {
	for _, list := range [...][]*run{g.ended, g.workingNoted} {
		for _, x := range list {
			x.by = by
		}
	}
	for _, q := range g.rechecks {
		q.x.by = by
	}
}

// heard closes the channels that wait for the announcements of the group, made or given up.
func (g group) heard() {
	for _, x := range g.workingNoted {
		close(x.told)
	}
}

func (g group) empty() bool { return len(g.ended)+len(g.workingNoted)+len(g.rechecks) == 0 }

// take removes the next group: ended runs, jobs to check, and runs that have taken long enough to
// be noted as working.
func (r *Recorder) take() group {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.ended), r.opt.Group)
	g := group{ended: r.ended[:n:n], rechecks: r.rechecks}
	r.ended, r.rechecks = r.ended[n:], nil
	r.begins(&g)
	r.sift(&g)
	late := r.opt.Now().Add(-r.opt.WorkingAfter)
	for x := range r.live {
		if x.begun.Before(late) && x.since.Turn == g.turn && len(g.workingNoted) < r.opt.Group {
			x.told = make(chan struct{})
			g.workingNoted = append(g.workingNoted, x)
			delete(r.live, x)
		}
	}
	return g
}
