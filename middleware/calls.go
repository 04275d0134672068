package middleware

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// flight is one call of a handler, from its start to its return.
type flight struct {
	tasks  []string // the tasks of its jobs; may have duplicates
	runs   []*run   // the same jobs
	begun  time.Time
	cancel context.CancelCauseFunc
}

// callStarted records that a handler is about to be called for the runs.
func (r *Recorder) callStarted(ctx context.Context, xs []*run) (context.Context, *flight) {
	f := &flight{tasks: make([]string, len(xs)), runs: xs, begun: xs[0].begun}
	for i, x := range xs {
		f.tasks[i] = x.task
	}
	ctx, f.cancel = context.WithCancelCause(ctx)
	r.mu.Lock()
	r.flights[f] = true
	r.mu.Unlock()
	return ctx, f
}

// Running is a job with a running handler.
type Running struct {
	Call  *jobs.Call // its fields may be read
	Began time.Time
}

// Running lists the jobs whose handlers have run for longer than some time, in no order.
func (r *Recorder) Running(longer time.Duration) []Running {
	since := r.opt.Now().Add(-longer)
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Running
	for f := range r.flights {
		for _, x := range f.runs {
			if f.begun.Before(since) {
				out = append(out, Running{x.call, f.begun})
			}
		}
	}
	return out
}

// callReturned records that the handler has returned.
func (r *Recorder) callReturned(f *flight) {
	r.mu.Lock()
	delete(r.flights, f)
	r.mu.Unlock()
	f.cancel(nil)
}

// Cancel sets the tasks that are being canceled. If all jobs of a handler belong to them, its
// context is canceled with cause jobs.ErrCanceled. New jobs of these tasks are first checked in
// the ledger, until the next call.
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
	for f := range r.flights {
		if f.only(set) {
			f.cancel(jobs.ErrCanceled)
		}
	}
}

// only reports whether all jobs of a call belong to tasks of a set.
func (f *flight) only(set map[string]bool) bool {
	for _, id := range f.tasks {
		if !set[id] {
			return false
		}
	}
	return true
}

// isCanceling reports whether a task is being canceled, as of the last Cancel.
func (r *Recorder) isCanceling(taskID string) bool {
	set := r.canceling.Load()
	return set != nil && (*set)[taskID]
}
