package middleware_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestADeadCopyRunsNoRowTwice requeues a dead job while its row is in error, and another right after
// its row was resubmitted and again after the row has finished. The dead copies do not run: a
// resubmitted row has two runs.
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
		made, err := decisions.New(r.Events).Decide(r.t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{
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

// exhume requeues all dead jobs, and waits until nothing is left in Redis.
func (r *rig) exhume(n *node) {
	r.t.Helper()
	eventually(r.t, func() bool {
		if _, err := n.Queue.Admin().RequeueAllMorgue(r.t.Context(), "k"); err != nil {
			r.t.Fatal(err)
		}
		st, err := n.Queue.Stats(r.t.Context(), "k")
		if err != nil {
			r.t.Fatal(err)
		}
		return st.Length+st.Busy+st.MorgueLength == 0
	})
}

// TestADeadCopyKnowsOfTheRepair requeues the dead copy of a repaired and resubmitted row before the
// new job has run. The repaired row runs once, also under another key.
func TestADeadCopyKnowsOfTheRepair(t *testing.T) {
	on(t, func(r *rig) {
		for _, key := range []string{"a", "b"} {
			ran, hold := make(chan string, 9), make(chan struct{})
			kind := "k" + key
			n := r.start(worker.Define(kind, func(_ context.Context, j *worker.Job[map[string]string]) error {
				switch j.Args["is"] {
				case "bad":
					return errors.New("the warehouse is closed")
				case "first":
					<-hold
				default:
					ran <- j.Key + " " + j.Args["is"]
				}
				return nil
			}, worker.MaxRetries(0), worker.Shards(1), worker.Unordered()))
			task := r.row(kind, "a", "bad")
			r.await(task)
			first := r.row(kind, key, "first") // the job of the resubmission waits behind it
			eventually(r.t, func() bool { return r.event(first, 1).Status == events.Working })
			r.repair(task, key, "good")
			eventually(r.t, func() bool { return !r.state(task).Back })
			if _, err := n.Queue.Admin().RequeueAllMorgue(r.t.Context(), kind); err != nil {
				r.t.Fatal(err)
			}
			eventually(r.t, func() bool { // the dead copy, under its old key, has been dropped
				st, err := n.Queue.Stats(r.t.Context(), kind)
				return err == nil && st.Length == 1 && st.Busy == 1
			})
			close(hold)
			r.await(task)
			n.Stop()
			close(ran)
			if text := <-ran; text != key+" good" || len(ran) != 0 {
				r.t.Errorf("ran %q, and %d more; want %q once", text, len(ran), key+" good")
			}
			if e := r.event(task, 1); e.Status != events.Finish || e.Attempt != 2 {
				r.t.Errorf("it is %s at attempt %d, want finish at 2", e.Status, e.Attempt)
			}
		}
	})
}

// row adds a task of one row.
func (r *rig) row(kind, key, is string) *tasks.Task {
	r.t.Helper()
	return r.Add(r.t, kind, events.Draft{Row: 2, Key: key, Params: []byte(`{"is":"` + is + `"}`)})
}

// repair changes the params of the first row of a task, which is bad, and resubmits it.
func (r *rig) repair(task *tasks.Task, key, is string) {
	r.t.Helper()
	d := decisions.Decision{
		ID: events.NewID(task.Num, 1), Version: r.event(task, 1).Version, Resolution: events.Resubmitted,
		Edit: &decisions.Edit{Params: []byte(`{"is":"` + is + `"}`), Key: key},
	}
	made, err := decisions.New(r.Events).Decide(r.t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{d}})
	if err != nil || !made[0] {
		r.t.Fatal(made, err)
	}
}

// state returns the state of the first row of a task.
func (r *rig) state(task *tasks.Task) events.State {
	r.t.Helper()
	id := events.NewID(task.Num, 1)
	states, err := r.Events.States(r.t.Context(), []events.ID{id})
	if err != nil {
		r.t.Fatal(err)
	}
	return states[id]
}
