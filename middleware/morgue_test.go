package middleware_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestADeadCopyRunsNoRowTwice brings a job back from the morgue: while it is in
// error in the ledger, with and behind its resubmission. What runs is what people
// have asked for: the first run, and the resubmission.
func TestADeadCopyRunsNoRowTwice(t *testing.T) {
	on(t, func(r *rig) {
		var runs atomic.Int64
		task := r.task("k", "a")
		n := r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error {
			if runs.Add(1) == 1 {
				return errors.New("the warehouse is closed")
			}
			return nil
		}, worker.MaxRetries(0), worker.Shards(1)))
		r.await(task)
		r.exhume(n)
		if e := r.event(task, 1); runs.Load() != 1 || e.Status != events.Error {
			r.t.Errorf("%s after %d runs, want error after 1", e.Status, runs.Load())
		}
		runs.Store(0)
		task = r.task("k", "a")
		r.await(task)
		made, err := r.events.Decide(r.t.Context(), events.Review{Num: task.Num, By: "ann", Rows: []events.Decision{
			{ID: events.NewID(task.Num, 1), Version: r.event(task, 1).Version, Resolution: events.Resubmitted},
		}})
		if err != nil || !made[0] {
			r.t.Fatal(made, err)
		}
		r.exhume(n)
		r.await(task)
		r.exhume(n)
		if e := r.event(task, 1); runs.Load() != 2 || e.Status != events.Finish || e.Attempt != 2 {
			r.t.Errorf("%s at attempt %d after %d runs, want finish at 2 after 2", e.Status, e.Attempt, runs.Load())
		}
	})
}

// exhume has all that is dead run, and waits until nothing is left in Redis.
func (r *rig) exhume(n *node) {
	r.t.Helper()
	eventually(r.t, func() bool {
		if _, err := n.client.Admin().RequeueAllMorgue(r.t.Context(), "k"); err != nil {
			r.t.Fatal(err)
		}
		st, err := n.client.Stats(r.t.Context(), "k")
		if err != nil {
			r.t.Fatal(err)
		}
		return st.Length+st.Busy+st.MorgueLength == 0
	})
}
