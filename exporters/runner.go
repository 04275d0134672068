package exporters

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// RunnerOptions holds the settings of a Runner. The zero value works.
type RunnerOptions struct {
	// Claim is how long a runner keeps its claim on a task without renewing it. Default 15s.
	Claim time.Duration

	// Poll is the longest pause between two searches for exports. Default 1s.
	Poll time.Duration

	// Plan is the timeout of one call of a kind's plan. Default 5m.
	Plan time.Duration

	// Again is the pause before the next attempt after a failed plan or merge. It doubles with each
	// further failure, up to a minute. Default 2s.
	Again time.Duration

	// Added is called after each attempt to plan or merge that has committed its result or lost its
	// claim. The caller can use it to notify the feeder and the deliverer. Default: nothing.
	Added func()

	// Stepped is called after each attempt to plan or to merge. Default: nothing.
	Stepped func(Step)

	// Log receives a record for each fault. Default: none.
	Log *slog.Logger
}

// Step is an attempt to plan an export, or to merge its parts.
type Step struct {
	TaskID string
	Name   string    // plan or merge
	Began  time.Time // by this machine's clock
	Took   time.Duration
	Err    error // also nil if the export cannot be made: the task then has a Problem
}

func (o RunnerOptions) withDefaults() RunnerOptions {
	o.Claim = cmp.Or(o.Claim, 15*time.Second)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Plan = cmp.Or(o.Plan, 5*time.Minute)
	o.Again = cmp.Or(o.Again, 2*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Added == nil {
		o.Added = func() {}
	}
	if o.Stepped == nil {
		o.Stepped = func(Step) {}
	}
	return o
}

// plansAtOnce and mergesAtOnce are how many exports a process plans and merges at the same time. If that many
// run, each tenant without a running export may have one more, up to twice the number. planTries and
// mergeTries are the maximum numbers of attempts. longestPause is the longest pause between two attempts.
const (
	plansAtOnce  = 4
	mergesAtOnce = 2
	planTries    = 5
	mergeTries   = 5 // of a merge that finds a damaged part
	longestPause = time.Minute
)

// Runner is a loop that plans exports and merges their parts. Several processes may have runners.
// If a runner dies, another runner repeats its work.
type Runner struct {
	tasks  *tasks.Store
	events *events.Store
	parts  *Parts
	kinds  *jobs.Registry
	opt    RunnerOptions
	names  []string // names of the kinds with exports
	wake   periodic.Wake

	mu    sync.Mutex
	tries map[int64]int // number of failed plans and merges, by task
}

// NewRunner returns a runner for the kinds of a registry that are exports.
func NewRunner(
	ts *tasks.Store, es *events.Store, parts *Parts, kinds *jobs.Registry, opt RunnerOptions,
) *Runner {
	r := &Runner{
		tasks: ts, events: es, parts: parts, kinds: kinds, opt: opt.withDefaults(),
		wake: periodic.NewWake(), tries: map[int64]int{},
	}
	for _, k := range kinds.Kinds() {
		if k.Export != nil {
			r.names = append(r.names, k.Name)
		}
	}
	return r
}

// Committed notifies the runner that outcomes were committed. If a part has ended in this process within the
// last commitDelay, the runner searches for exports to merge.
func (r *Runner) Committed() {
	if r.parts.ending() {
		r.wake.Signal()
	}
}

// step is one of the two steps of an export: plan or merge.
type step struct {
	name   string
	picker *tasks.Picker
	do     func(context.Context, *tasks.Task, tasks.Claim) error
}

// Run plans and merges until ctx ends, and then waits for the running steps. It searches for
// exports at once when it receives from `notify`.
func (r *Runner) Run(ctx context.Context, notify <-chan string) {
	if len(r.names) == 0 {
		<-ctx.Done()
		return
	}
	steps := []step{
		{"plan", r.tasks.Picker(tasks.Planning, r.names, plansAtOnce), r.plan},
		{"merge", r.tasks.Picker(tasks.Merging, r.names, mergesAtOnce), r.merge},
	}
	var busy sync.WaitGroup
	defer busy.Wait()
	periodic.Loop{Every: r.opt.Poll, Wake: r.wake, Notify: notify}.Run(ctx, func(ctx context.Context) error {
		for _, s := range steps {
			for r.begin(ctx, s, &busy) {
			}
		}
		return nil
	})
}

// begin starts a step for the next task, if a task waits and the process may run one more step. It
// reports whether it has started the step.
func (r *Runner) begin(ctx context.Context, s step, busy *sync.WaitGroup) bool {
	t, claim, err := s.picker.Next(ctx, r.opt.Claim)
	if err != nil && ctx.Err() == nil {
		r.opt.Log.Error("claiming an export failed", "err", err)
	}
	if err != nil || t == nil {
		return false
	}
	s.picker.Charge(t.Tenant, t.Progress.Done) // rows of its parts; 0 before they are planned
	busy.Go(func() {
		defer r.wake.Signal()
		defer s.picker.Leave(t.Tenant)
		r.runStep(ctx, s, t, claim)
	})
	return true
}

// runStep runs a step for a claimed task. A failed step runs again later, in this or another
// process.
func (r *Runner) runStep(ctx context.Context, s step, t *tasks.Task, claim tasks.Claim) {
	begun := time.Now()
	err := r.guarded(ctx, s, t, claim)
	r.opt.Stepped(Step{t.ID, s.name, begun, time.Since(begun), err})
	if err == nil || errors.Is(err, events.ErrClaimLost) {
		r.forget(t.Num)
		r.opt.Added()
		return
	}
	why, pause := "", time.Duration(0)
	if ctx.Err() == nil {
		r.opt.Log.Error("export failed", "task", t.ID, "err", err)
		why, pause = "The service failed and tries again.", r.pause(t.Num)
	}
	if err := r.tasks.PutOff(ctx, t.Num, claim, pause, why); err != nil {
		r.opt.Log.Error("postponing an export failed", "task", t.ID, "err", err)
	}
}

// guarded runs a step and renews the claim meanwhile. It returns a panic as an error, because the
// plan of a kind is code of the developer.
func (r *Runner) guarded(ctx context.Context, s step, t *tasks.Task, claim tasks.Claim) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("exporters: %s: panic: %v\n%s", t.ID, p, debug.Stack())
		}
	}()
	defer periodic.Beside(ctx, r.opt.Claim/3, func(ctx context.Context) {
		if err := r.tasks.RenewSplit(ctx, t.Num, claim, r.opt.Claim); err != nil && ctx.Err() == nil {
			r.opt.Log.Warn("renewing the claim of an export failed", "err", err)
		}
	})()
	return s.do(ctx, t, claim)
}

// pause counts a failed attempt to plan or merge an export, and returns the pause before the next
// attempt.
func (r *Runner) pause(num int64) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tries[num]++
	return min(r.opt.Again<<min(r.tries[num]-1, 10), longestPause)
}

func (r *Runner) failures(num int64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries[num]
}

func (r *Runner) forget(num int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tries, num)
}
