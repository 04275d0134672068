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
	RecordIn(ctx context.Context, timeline int64, moves []events.Move) (made []bool, err error)
	States(ctx context.Context, ids []events.ID) (map[events.ID]events.State, error)
	SaveCheckpoint(ctx context.Context, r events.Run, data json.RawMessage) (json.RawMessage, error)
	Progress(ctx context.Context, r events.Run, p events.Progress) error
	Begin(ctx context.Context) (*events.GroupTx, error)
	OneWriter() bool
	Register(ctx context.Context, r events.Runner) (by int32, err error)
}

// Options holds the settings of a Recorder. The zero value works.
type Options struct {
	// WorkingAfter is how long a handler runs before its event is written as working. For a shorter run,
	// the recorder writes only the outcome. Default 100ms.
	WorkingAfter time.Duration

	// Group bounds the ended runs of one commit and, separately, the runs that the commit writes as
	// working. Default 2000.
	Group int

	// Worker is the name of this process in the message log of events. Default "".
	Worker string

	// Build is the version of this program, by which users can filter rows. Default "".
	Build string

	// Client is the client with which handlers create more work. Default nil.
	Client *enqueue.Client

	// Parts stores the files of export parts. Default nil: exports then fail.
	Parts jobs.PartFiles

	// CheckGeneration decides what the recorder does with a job. Its arguments are the tenant, and the
	// mark under which the job was pushed. A tenant gets a new mark when Redis or the ledger has lost
	// data, and when a task of the tenant is canceled. If `ask` is true, the recorder checks the job in
	// the ledger before the job runs. If `gone` is true, the recorder drops the job, since a feeder has
	// pushed or will push the row again. After an error, the job goes back to the queue for half a
	// second. CheckGeneration may block. Default: every job may run.
	CheckGeneration func(ctx context.Context, tenant, mark string) (ask, gone bool, err error)

	// Permits grants the permits of kinds with limits. Default nil: Track then panics for a kind with
	// limits.
	Permits *queue.Permits

	// OnRefused is called when a job of a kind returns to the queue because a limit is reached. It
	// must not block. Default: none.
	OnRefused func(kind string)

	// Attest is called after each commit, before the queue removes the jobs, on the goroutine that
	// committed. The recorder only logs an error. Default: none.
	Attest func(ctx context.Context) error

	// SetBack is called when a commit fails with events.ErrSetBack. The ledger then lacks earlier
	// commits of this process, or a task number now belongs to another task. The ended jobs of the
	// failed commit go back to the queue. Default: none.
	SetBack func()

	// OnCommit is called when the jobs of a committed group are released. It runs on the goroutine of
	// the recorder, or on the goroutine of a group of DefineTx jobs. Default: none.
	OnCommit func()

	// OnStart is called before each handler call, and returns the context for the handler and for
	// OnRun. It must not block. Default: the context stays unchanged.
	OnStart func(ctx context.Context, calls []*jobs.Call) context.Context

	// OnRun is called after each run of a job, also of untracked kinds, with the context of OnStart. It
	// is not called for runs of DefineTx jobs that are repeated or given back. OnRun must not block, and
	// must not keep FinishedRun.Call. Default: none.
	OnRun func(ctx context.Context, r FinishedRun)

	// OnGroup is called after each commit with the number of moves, which are changes of a row's
	// status, and the duration. The duration includes failed tries, except for groups of DefineTx
	// jobs. Default: none.
	OnGroup func(moves int, took time.Duration)

	// Now returns the current time. Default time.Now.
	Now func() time.Time

	// Log receives faults of the ledger, and keys in a hot loop, whose jobs return to the queue ten
	// times within a second. It also receives untracked jobs that failed or had a system fault.
	// Default: none.
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
	if o.OnRefused == nil {
		o.OnRefused = func(string) {}
	}
	if o.OnCommit == nil {
		o.OnCommit = func() {}
	}
	if o.OnRun == nil {
		o.OnRun = func(context.Context, FinishedRun) {}
	}
	if o.OnGroup == nil {
		o.OnGroup = func(int, time.Duration) {}
	}
	return o
}

// runner returns the identity of this process for the ledger.
func (o *Options) runner() events.Runner { return events.Runner{Worker: o.Worker, Build: o.Build} }

// Recorder is the part of a worker that commits outcomes to the ledger in groups. While it commits one
// group, it collects the outcomes for the next. Start it once; Stop commits the remaining outcomes.
type Recorder struct {
	ledger   Ledger
	opt      Options
	progress *progressWriter

	mu        sync.Mutex
	ended     []*run                          // in the order of their end
	rechecks  []*recheck                      // checks of jobs that may have run before
	live      map[*run]bool                   // started, not ended, not noted as working
	calls     map[*handlerCall]bool           // calls of handlers
	canceling atomic.Pointer[map[string]bool] // ids of tasks; nil if none
	wake      periodic.Wake                   // signaled when a run has ended or a check waits
	idle      chan struct{}                   // closed when the loop has ended
	stop      chan struct{}                   // closed by Stop
	once      sync.Once                       // of stop
	drain     atomic.Bool                     // no more jobs start
	by        atomic.Int32                    // number of this process in the ledger; 0 while unknown
	timeline  int64                           // of the last group
	abort     func()                          // gives up on an unreachable ledger
	ctx       context.Context                 // of commits; lives until abort
	leases    sync.WaitGroup                  // the goroutine of Permits.Run
}

// NewRecorder returns a recorder that writes to `ledger`. The recorder commits nothing before the
// call of Start.
func NewRecorder(ledger Ledger, opt Options) *Recorder {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recorder{
		ledger: ledger, opt: opt.withDefaults(), live: map[*run]bool{}, calls: map[*handlerCall]bool{},
		ctx: ctx, abort: cancel,
		wake: periodic.NewWake(), idle: make(chan struct{}), stop: make(chan struct{}),
	}
	r.progress = newProgressWriter(r)
	return r
}

// Start starts the commits. First it tries to register this process in the ledger, for at most a second.
// On a database with one writer, a later registration could have to wait for the transaction of a
// handler.
func (r *Recorder) Start() {
	if err := r.tryRegister(time.Second); err != nil {
		r.opt.Log.Warn("this process is not registered in the ledger yet", "err", err)
	}
	go r.loop()
	go r.progress.loop()
	r.leases.Go(func() { r.opt.Permits.Run(r.ctx) })
}

// Drain makes the recorder start no further jobs, in preparation of Stop. Fetched jobs that have not
// started go back to the queue.
func (r *Recorder) Drain() { r.drain.Store(true) }

// Stop commits the outcomes of ended runs and returns. If the ledger is unreachable, Stop gives up
// after `grace`. The jobs whose outcomes are not committed then stay in the queue and run again.
func (r *Recorder) Stop(grace time.Duration) {
	r.progress.close()
	r.once.Do(func() { close(r.stop) })
	select {
	case <-r.idle:
	case <-time.After(grace):
	}
	r.abort()
	<-r.idle
	r.leases.Wait()
}

// begin records that the handler of a run was called. If its handler runs for longer than
// WorkingAfter, a later group writes its event as working.
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

// drop ends a run without recording its outcome, and returns the job to the queue.
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
	timeline     int64 // of all of its runs
}

// setProcess sets the number of this process in the runs of a group.
func (g group) setProcess(by int32) {
	for _, list := range [...][]*run{g.ended, g.workingNoted} {
		for _, x := range list {
			x.by = by
		}
	}
	for _, q := range g.rechecks {
		q.x.by = by
	}
}

// endAnnouncements notifies the goroutines that wait until the jobs of the group are written as working.
// The recorder calls it after these writes, and also when it gives up.
func (g group) endAnnouncements() {
	for _, x := range g.workingNoted {
		close(x.announced)
	}
}

func (g group) empty() bool { return len(g.ended)+len(g.workingNoted)+len(g.rechecks) == 0 }

// take removes and returns the next group: ended runs, jobs to be checked in the ledger, and runs
// that have run for longer than WorkingAfter.
func (r *Recorder) take() group {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.ended), r.opt.Group)
	g := group{ended: r.ended[:n:n], rechecks: r.rechecks}
	r.ended, r.rechecks = r.ended[n:], nil
	r.setTimeline(&g)
	r.returnVoid(&g)
	late := r.opt.Now().Add(-r.opt.WorkingAfter)
	for x := range r.live {
		if x.begun.Before(late) && x.since.Timeline == g.timeline && len(g.workingNoted) < r.opt.Group {
			x.announced = make(chan struct{})
			g.workingNoted = append(g.workingNoted, x)
			delete(r.live, x)
		}
	}
	return g
}
