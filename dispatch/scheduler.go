package dispatch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// startTimeout bounds the start of one run; dueAtOnce is how many are looked up
// at once.
const (
	startTimeout = time.Minute
	dueAtOnce    = 50
)

// Starter makes the task of a run. It returns tasks.ErrChanged if somebody else
// has done so; any other error comes with what is to be told of it.
type Starter func(context.Context, tasks.Run) (*tasks.Problem, error)

// SchedulerOptions tunes a Scheduler. The zero value works.
type SchedulerOptions struct {
	// Every is how often to look what is due, and so how late a run may be.
	// Default 2s.
	Every time.Duration

	// Log gets what was started, and what could not be. Default: none.
	Log *slog.Logger
}

// Scheduler starts the runs of schedules, one after another. Any number may
// work: of a run that several find, the ledger lets one make the task. A run
// that cannot be started holds up no other, and is tried again later.
type Scheduler struct {
	schedules *tasks.Schedules
	start     Starter
	opt       SchedulerOptions
}

// NewScheduler returns a scheduler.
func NewScheduler(s *tasks.Schedules, start Starter, opt SchedulerOptions) *Scheduler {
	opt.Every = cmp.Or(opt.Every, 2*time.Second)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Scheduler{s, start, opt}
}

// Run starts what is due until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	periodic.Loop{Every: s.opt.Every, Log: s.opt.Log, Failed: "schedules failed"}.Run(ctx, s.Start)
}

// Start starts all that is due now.
func (s *Scheduler) Start(ctx context.Context) error {
	for {
		runs, err := s.schedules.Due(ctx, dueAtOnce)
		if err != nil || len(runs) == 0 {
			return err
		}
		for _, r := range runs {
			if err := s.one(ctx, r); err != nil {
				return err
			}
		}
	}
}

// one starts a run, or notes why it cannot be started; either way, it is not due
// any more.
func (s *Scheduler) one(ctx context.Context, r tasks.Run) error {
	try, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	problem, err := s.start(try, r)
	planned := time.UnixMilli(r.Planned).UTC()
	switch {
	case err == nil:
		s.opt.Log.Info("schedule started", "schedule", r.Schedule.ID, "planned", planned)
		return nil
	case errors.Is(err, tasks.ErrChanged):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.opt.Log.Warn("schedule not started", "schedule", r.Schedule.ID, "planned", planned, "err", err)
	if err = s.schedules.Fail(ctx, r, *problem); errors.Is(err, tasks.ErrChanged) {
		return nil
	}
	return err
}
