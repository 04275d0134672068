package middleware

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// handlerCall is a running call of a handler.
type handlerCall struct {
	tasks  []string // the ids of the tasks of its jobs; may have duplicates
	runs   []*run   // the runs of its jobs
	begun  time.Time
	cancel context.CancelCauseFunc
}

// callStarted records that the handler is about to be called for the given runs. It returns the call,
// and a context for the handler that Cancel can cancel.
func (r *Recorder) callStarted(ctx context.Context, xs []*run) (context.Context, *handlerCall) {
	f := &handlerCall{tasks: make([]string, len(xs)), runs: xs, begun: xs[0].begun}
	for i, x := range xs {
		f.tasks[i] = x.task
	}
	ctx, f.cancel = context.WithCancelCause(ctx)
	r.mu.Lock()
	r.calls[f] = true
	r.mu.Unlock()
	return ctx, f
}

// ActiveRun is a job whose handler runs.
type ActiveRun struct {
	Call  *jobs.Call // callers may only read its fields
	Began time.Time
}

// Running returns the jobs whose handlers have run for longer than the given time, in no particular
// order.
func (r *Recorder) Running(longer time.Duration) []ActiveRun {
	since := r.opt.Now().Add(-longer)
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []ActiveRun
	for f := range r.calls {
		for _, x := range f.runs {
			if f.begun.Before(since) {
				out = append(out, ActiveRun{x.call, f.begun})
			}
		}
	}
	return out
}

func (r *Recorder) callReturned(f *handlerCall) {
	r.mu.Lock()
	delete(r.calls, f)
	r.mu.Unlock()
	f.cancel(nil)
}

// Cancel sets the ids of the tasks that are being canceled. If all jobs of a running handler belong to these
// tasks, Cancel cancels the handler's context with the cause jobs.ErrCanceled. Until the next call of Cancel,
// the recorder checks new jobs of these tasks in the ledger before they run.
func (r *Recorder) Cancel(taskIDs []string) {
	if len(taskIDs) == 0 && r.canceling.Load() == nil {
		return
	}
	set := make(map[string]bool, len(taskIDs))
	for _, id := range taskIDs {
		set[id] = true
	}
	if r.canceling.Store(&set); len(set) == 0 {
		r.canceling.Store(nil)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for f := range r.calls {
		if f.belongsTo(set) {
			f.cancel(jobs.ErrCanceled)
		}
	}
}

func (f *handlerCall) belongsTo(set map[string]bool) bool {
	for _, id := range f.tasks {
		if !set[id] {
			return false
		}
	}
	return true
}

// isCanceling reports whether the last call of Cancel named the task.
func (r *Recorder) isCanceling(taskID string) bool {
	set := r.canceling.Load()
	return set != nil && (*set)[taskID]
}
