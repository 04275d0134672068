package feed_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// acting is a random test of a lane with few keys.
type acting struct {
	*farm
	all    []*tasks.Task
	paused map[int64]bool // tasks that are paused
	moved  map[int64]bool // tasks that were paused once: their rows may come late
	over   map[int64]bool // tasks that were canceled
}

// add adds a task of rows with few keys or none. Some rows have a start time of their own.
func (a *acting) add() {
	var keys []string
	for range 20 + rand.IntN(60) {
		keys = append(keys, []string{"0", "1", "2", "3", ""}[rand.IntN(5)])
	}
	rows := drafts(keys)
	for i := range rows {
		if rand.IntN(12) == 0 {
			rows[i].RunAt = a.now.Add(time.Duration(rand.IntN(90)) * time.Second).UnixMilli()
		}
	}
	a.all = append(a.all, a.farm.add(rows))
}

// turn pauses, resumes or cancels a task. A task that is done stays as it is.
func (a *acting) turn(task *tasks.Task, act int) {
	ctx, change := a.t.Context(), a.Tasks.Pause
	switch {
	case a.paused[task.Num]:
		change = a.Tasks.ResumeAnyway
	case act == 0:
		change = a.Tasks.Cancel
	}
	err := change(ctx, "acme", task.ID)
	if errors.Is(err, tasks.ErrStatus) {
		return
	}
	a.fine(err)
	if a.over[task.Num] = act == 0 && !a.paused[task.Num]; a.over[task.Num] {
		return
	}
	a.paused[task.Num] = !a.paused[task.Num]
	a.moved[task.Num] = true
}

// resume resumes all paused tasks.
func (a *acting) resume() {
	for _, task := range a.all {
		if a.paused[task.Num] {
			a.turn(task, 1)
		}
	}
}

// act performs a random act.
func (a *acting) act() {
	a.t.Helper()
	task := a.all[rand.IntN(len(a.all))]
	switch rand.IntN(7) {
	case 0, 1:
		_ = a.dying(rand.IntN(12)).Feed(a.t.Context()) // an error is expected
		a.now = a.now.Add(time.Minute)
	case 2:
		if len(a.all) < 10 {
			a.add()
		}
	case 3, 4:
		if !a.over[task.Num] {
			a.turn(task, rand.IntN(6))
		}
	case 5:
		if rand.IntN(4) == 0 {
			a.fine(a.Redis.FlushAll(a.t.Context()).Err())
			a.now = a.now.Add(time.Minute)
		}
	default:
		a.invariants()
	}
}

// end checks that the rows of tasks that were never paused ran in order, and that all rows ran
// except those of canceled tasks. The counts of each task must match its rows.
func (a *acting) end(r *ran) {
	a.t.Helper()
	a.atRest()
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, ids := range r.ids {
		runs := map[events.ID]int{}
		for _, id := range ids {
			if runs[id]++; runs[id] > 1+r.repeats[id] {
				a.t.Errorf("row %d of key %s ran %d times", id, key, runs[id])
			}
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id events.ID) bool { return a.moved[id.Num()] })
		if !slices.IsSorted(ids) {
			a.t.Errorf("key %s ran in the order %v", key, ids)
		}
	}
	for _, task := range a.all {
		audit, err := recount.New(a.Events).Audit(a.t.Context(), task.Num)
		a.fine(err)
		if list := audit.Differences(); len(list) > 0 {
			a.t.Errorf("task %d: %v", task.Num, list)
		}
		if !a.over[task.Num] && audit.Found.Finish != audit.Found.Total {
			a.t.Errorf("task %d: %+v, want all finished", task.Num, audit.Found)
		}
	}
}

// TestHeld_PausesCancelsAndWipes_EndInOrder performs random acts beside workers that retry and
// feeders that die.
func TestHeld_PausesCancelsAndWipes_EndInOrder(t *testing.T) {
	on(t, func(f *farm) {
		a := acting{farm: f, paused: map[int64]bool{}, moved: map[int64]bool{}, over: map[int64]bool{}}
		for range 4 {
			a.add()
		}
		r := ran{strict: true}
		defer f.work(&r, 12)()
		c := f.canceler()
		f.drain("random acts", func(i int) {
			switch {
			case i < testenv.Size(30, 80):
				a.act()
			default:
				a.resume()
				f.now = f.now.Add(time.Second)
			}
			f.cancels(c)
		})
		a.end(&r)
	})
}
