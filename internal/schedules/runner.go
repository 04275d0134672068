package schedules

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// startTimeout bounds the start of one run. dueAtOnce is how many due runs are read at once.
const (
	startTimeout = time.Minute
	dueAtOnce    = 50
)

// Starter is a function that creates the task of a schedule's run with Store.Start. It returns
// ErrChanged if another process has created the task, or if the schedule has changed. With any other
// error it returns the problem that the schedule shows to users.
type Starter func(context.Context, Run) (*tasks.Problem, error)

// RunnerOptions holds the settings of a Runner. The zero value works.
type RunnerOptions struct {
	// Every is the interval at which due runs of schedules are read. A run may start late by this
	// interval, and by the time that earlier runs take to start. Default 2s.
	Every time.Duration

	// Log receives errors, the runs that started, and the runs that could not start. Default: none.
	Log *slog.Logger
}

// Runner is a loop that starts the runs of schedules, one after another. Any number of processes may
// run a Runner, but only one of them creates the task of a run. A run that cannot start does not
// delay others, and is retried later.
type Runner struct {
	store *Store
	start Starter
	opt   RunnerOptions
}

// NewRunner returns a runner.
func NewRunner(store *Store, start Starter, opt RunnerOptions) *Runner {
	opt.Every = cmp.Or(opt.Every, 2*time.Second)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Runner{store, start, opt}
}

// Run starts due runs of schedules at the interval RunnerOptions.Every, until ctx ends.
func (r *Runner) Run(ctx context.Context) {
	periodic.Loop{Every: r.opt.Every, Log: r.opt.Log, Failed: "starting schedules failed"}.Run(ctx, r.Start)
}

// Start starts all due runs of schedules.
func (r *Runner) Start(ctx context.Context) error {
	for {
		runs, err := r.store.Due(ctx, dueAtOnce)
		if err != nil || len(runs) == 0 {
			return err
		}
		for _, run := range runs {
			if err := r.startRun(ctx, run); err != nil {
				return err
			}
		}
	}
}

// startRun starts a run, or records why it cannot start. If startRun returns nil, the run has started,
// is due again later, or does not exist any more.
func (r *Runner) startRun(ctx context.Context, run Run) error {
	try, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	problem, err := r.start(try, run)
	planned := time.UnixMilli(run.Planned).UTC()
	switch {
	case err == nil:
		r.opt.Log.Info("schedule started", "schedule", run.Schedule.ID, "planned", planned)
		return nil
	case errors.Is(err, ErrChanged):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	r.opt.Log.Warn("schedule not started", "schedule", run.Schedule.ID, "planned", planned, "err", err)
	if err = r.store.RecordFailure(ctx, run, *problem); errors.Is(err, ErrChanged) {
		return nil
	}
	return err
}
