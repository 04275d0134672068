package operate

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// dueAtOnce is the greatest number of acts that a Runner reads at once.
const dueAtOnce = 20

// RunnerOptions holds the settings of a Runner. The zero value is valid.
type RunnerOptions struct {
	// Every is the interval at which due acts are read. Rows may run late by up to this interval.
	// Default 1s.
	Every time.Duration

	// Ran is called after rows were resubmitted, so that they are fed at once. Default: none.
	Ran func()

	Now func() time.Time // default time.Now
	Log *slog.Logger     // default: none
}

// Runner is a loop that resubmits the corrected rows of an act when the delay review.BulkAction.RunAfter is
// over. Until then, users can undo the act. Any number of processes may run a Runner.
type Runner struct {
	tasks     *tasks.Store
	decisions *decisions.Store
	review    *review.Reviewer
	opt       RunnerOptions
}

// NewRunner returns a runner for the kinds of a registry.
func NewRunner(ts *tasks.Store, es *events.Store, kinds *jobs.Registry, opt RunnerOptions) *Runner {
	opt.Every = cmp.Or(opt.Every, time.Second)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	if opt.Ran == nil {
		opt.Ran = func() {}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Runner{ts, decisions.New(es), review.New(es, kinds, review.Options{Now: opt.Now}), opt}
}

// Run calls RunDue at the interval RunnerOptions.Every until ctx is canceled.
func (r *Runner) Run(ctx context.Context) {
	periodic.Loop{Every: r.opt.Every, Log: r.opt.Log, Failed: "running corrected rows failed"}.Run(ctx, r.RunDue)
}

// retryAfter is the time after which an act is due again after an error.
const retryAfter = time.Minute

// RunDue resubmits the rows of up to dueAtOnce due acts. An act is due when its review.BulkAction.RunAfter
// has passed. After an error, the act is due again after retryAfter, so that it does not delay other acts.
func (r *Runner) RunDue(ctx context.Context) (err error) {
	list, err := r.decisions.DueActs(ctx, dueAtOnce)
	for _, due := range list {
		if failed := r.runAct(ctx, due); failed != nil && ctx.Err() == nil {
			at := r.opt.Now().Add(retryAfter).UnixMilli()
			err = errors.Join(err, failed, r.decisions.RunActAt(ctx, due.Num, due.ActID, at))
		}
	}
	return err
}

func (r *Runner) runAct(ctx context.Context, due decisions.DueAct) error {
	t, err := r.tasks.Get(ctx, due.Tenant, due.TaskID)
	if errors.Is(err, tasks.ErrNotFound) || errors.Is(err, tasks.ErrExpired) {
		return r.decisions.RunActAt(ctx, due.Num, due.ActID, 0)
	}
	if err != nil {
		return err
	}
	act, err := r.decisions.Act(ctx, t.Num, due.ActID)
	if err != nil || act == nil || act.RunAt == 0 || act.UndoneBy != "" {
		return err // the act was run, or its undo has started, since the list was read
	}
	out, err := r.review.RunAct(ctx, t, act)
	if out.Resubmitted > 0 {
		r.opt.Ran()
	}
	return err
}
