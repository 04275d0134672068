package middleware_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// shelf holds the job that wrote last, by key.
type shelf struct {
	mu   sync.Mutex
	last map[string]string
	bad  map[string]bool // the jobs that fail
}

func newShelf(bad ...string) *shelf {
	s := &shelf{last: map[string]string{}, bad: map[string]bool{}}
	for _, id := range bad {
		s.bad[id] = true
	}
	return s
}

func (s *shelf) handler(opts ...worker.Option) worker.Definer {
	return worker.Define("k", func(_ context.Context, j *worker.Job[struct{}]) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.bad[j.ID] {
			return worker.Fail("BAD", "bad")
		}
		s.last[j.Key] = j.ID
		return nil
	}, append(opts, worker.Shards(2))...)
}

func (s *shelf) holds(t *testing.T, key, job string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last[key] != job {
		t.Errorf("%s was written last by %s, want %s", key, s.last[key], job)
	}
}

// mend repairs a bad row, and resubmits it.
func (r *rig) mend(s *shelf, task *tasks.Task, seq int64, edit *decisions.Edit, anyway bool) {
	r.t.Helper()
	s.mu.Lock()
	delete(s.bad, events.NewID(task.Num, seq).JobID(task.ID))
	s.mu.Unlock()
	e := r.event(task, seq)
	made, err := decisions.New(r.Events).Decide(r.t.Context(), decisions.Review{
		Num: task.Num, By: "ann", Anyway: anyway,
		Rows: []decisions.Decision{{ID: e.ID, Version: e.Version, Resolution: events.Resubmitted, Edit: edit}},
	})
	if err != nil || slices.Contains(made, false) {
		r.t.Fatal(made, err)
	}
}

// superseded checks that a row ended as superseded by a job, and was counted as such.
func (r *rig) superseded(task *tasks.Task, seq int64, by string, row int) {
	r.t.Helper()
	now := r.await(task)
	e := r.event(task, seq)
	want := `{"superseded_by":"` + by + `","row":` + string(rune('0'+row)) + `}`
	if e.Status != events.Failed || e.State() != events.Superseded || e.Result == nil || *e.Result != want {
		r.t.Errorf("row %d is %s, %s, %v; want superseded: %s", seq, e.Status, e.State(), text(e.Result), want)
	}
	if now.Superseded != 1 || now.Failed != 1 {
		r.t.Errorf("the task counts %d superseded of %d failed", now.Superseded, now.Failed)
	}
	r.agrees(task)
}

// agrees compares the counts of a task with its rows.
func (r *rig) agrees(task *tasks.Task) {
	r.t.Helper()
	a, err := recount.New(r.Events).Audit(r.t.Context(), task.Num)
	if err != nil || len(a.Differences()) != 0 {
		r.t.Errorf("%v %v", a.Differences(), err)
	}
	groups, err := r.Events.Groups(r.t.Context(), task.Num)
	if err != nil {
		r.t.Error(err)
	}
	for _, g := range groups {
		if g.Code == events.CodeSuperseded {
			r.t.Errorf("a superseded row is counted as an error: %+v", g)
		}
	}
}

func text(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// jobIDs returns the IDs of the rows of a task.
func jobIDs(task *tasks.Task, n int64) (out []string) {
	for seq := range n {
		out = append(out, events.NewID(task.Num, seq+1).JobID(task.ID))
	}
	return out
}

func TestSuperseded_RepairedRowBehindANewerOne_DoesNotRun(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "B1", "B1", "C")
		ids := jobIDs(task, 3)
		s := newShelf(ids[0])
		r.start(s.handler())
		r.await(task)
		r.mend(s, task, 1, nil, false)
		r.superseded(task, 1, ids[1], 3)
		s.holds(r.t, "B1", ids[1])

		r.mend(s, task, 1, nil, true) // the user resubmits it anyway
		if now := r.await(task); now.Finish != 3 || now.Superseded != 0 {
			r.t.Errorf("%+v", now)
		}
		s.holds(r.t, "B1", ids[0])
		r.agrees(task)
	})
}

func TestSuperseded_RowGivenAnotherKey_YieldsToThatKey(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "wrong", "B1")
		ids := jobIDs(task, 2)
		s := newShelf(ids[0])
		r.start(s.handler())
		r.await(task)
		r.mend(s, task, 1, &decisions.Edit{Params: []byte("{}"), Key: "B1"}, false)
		r.superseded(task, 1, ids[1], 3)
		s.holds(r.t, "B1", ids[1])
	})
}

func TestSuperseded_ResumedTaskBehindALaterOne_KeepsTheNewerRows(t *testing.T) {
	on(t, func(r *rig) {
		older := r.task("k", "K", "L")
		if err := r.Tasks.Pause(r.t.Context(), "acme", older.ID); err != nil {
			r.t.Fatal(err)
		}
		newer := r.task("k", "K")
		s := newShelf()
		r.start(s.handler())
		r.await(newer)
		if err := r.Tasks.Resume(r.t.Context(), "acme", older.ID); err != nil {
			r.t.Fatal(err)
		}
		if now := r.await(older); now.Finish != 1 {
			r.t.Errorf("%+v", now)
		}
		r.superseded(older, 1, jobIDs(newer, 1)[0], 2)
		s.holds(r.t, "K", jobIDs(newer, 1)[0])
		s.holds(r.t, "L", jobIDs(older, 2)[1])
	})
}

func TestSuperseded_ResumedAnyway_OlderRowsRun(t *testing.T) {
	on(t, func(r *rig) {
		older := r.task("k", "K")
		if err := r.Tasks.Pause(r.t.Context(), "acme", older.ID); err != nil {
			r.t.Fatal(err)
		}
		newer := r.task("k", "K")
		s := newShelf()
		r.start(s.handler())
		r.await(newer)
		if err := r.Tasks.ResumeAnyway(r.t.Context(), "acme", older.ID); err != nil {
			r.t.Fatal(err)
		}
		if now := r.await(older); now.Finish != 1 {
			r.t.Errorf("%+v", now)
		}
		s.holds(r.t, "K", jobIDs(older, 1)[0])
	})
}

func TestSuperseded_UnorderedKind_OlderRowRuns(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", "B1", "B1")
		ids := jobIDs(task, 2)
		s := newShelf(ids[0])
		r.start(s.handler(worker.Unordered()))
		r.await(task)
		r.mend(s, task, 1, nil, false)
		if now := r.await(task); now.Finish != 2 {
			r.t.Errorf("%+v", now)
		}
		s.holds(r.t, "B1", ids[0])
	})
}

func TestSuperseded_TaskHeldUntilItWasRead_KeepsTheNewerRows(t *testing.T) {
	on(t, func(r *rig) {
		ctx := r.t.Context()
		held := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
			Source: tasks.Source{FileID: "f"}, Hold: tasks.HoldAll,
		}
		if err := r.Tasks.Create(ctx, held, time.Hour); err != nil {
			r.t.Fatal(err)
		}
		_, claim, err := r.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(ctx, time.Minute)
		if err != nil {
			r.t.Fatal(err)
		}
		rows := events.Chunk{
			Num: held.Num, Claim: int64(claim), TTL: time.Minute,
			Rows: []events.Draft{{Row: 2, Key: "K", Params: []byte("{}")}},
		}
		if _, err := r.Events.Append(ctx, rows); err != nil {
			r.t.Fatal(err)
		}
		newer := r.task("k", "K")
		s := newShelf()
		r.start(s.handler())
		r.await(newer)
		if _, err := r.Events.Append(ctx, events.Chunk{Num: held.Num, Claim: int64(claim), Final: true}); err != nil {
			r.t.Fatal(err)
		}
		r.superseded(held, 1, jobIDs(newer, 1)[0], 2)
		s.holds(r.t, "K", jobIDs(newer, 1)[0])
	})
}
