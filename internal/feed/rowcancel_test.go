package feed_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// cancelRows cancels the waiting rows of a task that match a filter.
func (f *farm) cancelRows(task *tasks.Task, filter events.Filter) reconcile.RowsCanceled {
	f.t.Helper()
	c := reconcile.NewRowCanceler(f.Tasks, f.Events, f.Queue,
		reconcile.CancelerOptions{Now: func() time.Time { return f.now }, Grace: time.Nanosecond})
	act := c.Begin(reconcile.Selection{Filter: filter, By: "ann"})
	_, err := act.Add(f.t.Context(), task, func(*events.Event) bool { return true })
	f.fine(err)
	out, err := act.End(f.t.Context())
	f.fine(err)
	return out
}

// counted checks that the counts of a task and of its feed match its rows.
func (f *farm) counted(task *tasks.Task) recount.Counts {
	f.t.Helper()
	audit, err := recount.New(f.Events).Audit(f.t.Context(), task.Num)
	f.fine(err)
	if list := audit.Differences(); len(list) > 0 {
		f.t.Errorf("task %d: %v", task.Num, list)
	}
	return audit.Found
}

// TestCancelRows_InEachStage_CountsHold cancels rows in Redis, rows that are held behind a full
// key, and rows that were never fed. Other rows of the same task stay.
func TestCancelRows_InEachStage_CountsHold(t *testing.T) {
	onBoth(t, func(f *farm) {
		keys := slices.Concat(slices.Repeat([]string{"hot"}, 300), slices.Repeat([]string{"cold", "", "warm"}, 200))
		task := f.add(drafts(keys))
		f.feed()
		of := func() lanes.Feed {
			feed, err := lanes.New(f.Tasks).FeedOf(t.Context(), task.Num)
			f.fine(err)
			return *feed
		}
		if was := of(); was.InRedis == 0 || was.HeldRows == 0 || was.Unfed == 0 {
			t.Fatalf("the rows are not in each stage: %+v", was)
		}
		for _, step := range []struct {
			filter events.Filter
			want   int64
		}{{events.Filter{Key: "hot", RowFrom: 100}, 202}, {events.Filter{Key: "cold"}, 200}, {events.Filter{Seqs: []int64{1, 2}}, 2}, {events.Filter{Key: "cold"}, 0}} {
			if out := f.cancelRows(task, step.filter); out.Canceled != step.want || out.Matched != step.want {
				t.Errorf("%+v: %+v, want %d canceled", step.filter, out, step.want)
			}
			f.counted(task)
			if now := of(); now.InRedis < 0 {
				t.Errorf("in Redis: %+v", now)
			}
		}
		r := ran{}
		defer f.work(&r, 0)()
		f.drain("the other rows", func(int) {})
		if got := f.counted(task); got.Canceled != 404 || got.Finish != 496 {
			t.Errorf("%+v, want 404 rows canceled and the others finished", got)
		}
		if f.Task(t, task).Status != tasks.FinishedWithFailures {
			t.Errorf("the task is %s", f.Task(t, task).Status)
		}
	})
}

// TestCancelRows_OfATaskWithoutOthers_EndsIt: the cancellation of all rows of a task ends the task,
// also if its last rows are in Redis.
func TestCancelRows_OfATaskWithoutOthers_EndsIt(t *testing.T) {
	onBoth(t, func(f *farm) {
		task, other := f.add(drafts([]string{"a", "a", "b", ""})), f.add(drafts([]string{"a", "b"}))
		f.feed()
		if out := f.cancelRows(task, events.Filter{}); out.Canceled != 4 {
			t.Errorf("%+v", out)
		}
		if !f.Task(t, task).Status.Done() {
			t.Errorf("the task is %s", f.Task(t, task).Status)
		}
		r := ran{}
		defer f.work(&r, 0)()
		f.drain("rows of the same keys", func(int) {})
		if got := f.counted(other); got.Finish != 2 {
			t.Errorf("the other task: %+v", got)
		}
		if got := f.counted(task); got.Canceled != 4 {
			t.Errorf("the task: %+v", got)
		}
	})
}

// TestCancelRows_RandomActs_EndInOrder cancels rows of random keys, beside workers that retry,
// feeders that die, pauses, canceled tasks and losses of Redis.
func TestCancelRows_RandomActs_EndInOrder(t *testing.T) {
	onBoth(t, func(f *farm) {
		a := acting{farm: f, paused: map[int64]bool{}, moved: map[int64]bool{}, over: map[int64]bool{}}
		for range 4 {
			a.add()
		}
		r := ran{strict: true}
		defer f.work(&r, 12)()
		c := f.canceler()
		f.drain("random acts", func(i int) {
			if i < testenv.Size(30, 80) {
				a.act()
				if task := a.all[rand.IntN(len(a.all))]; rand.IntN(3) == 0 {
					f.cancelRows(task, events.Filter{Key: []string{"0", "1", "2", ""}[rand.IntN(4)], RowFrom: rand.IntN(40)})
				}
			} else {
				a.resume()
				f.now = f.now.Add(time.Second)
			}
			f.cancels(c)
		})
		finished := int64(0)
		for _, task := range a.all {
			got := f.counted(task)
			finished += got.Finish
			if got.Finish+got.Canceled != got.Total {
				t.Errorf("task %d: %+v", task.Num, got)
			}
			a.over[task.Num] = true // not all of its rows finish
		}
		if finished == 0 {
			t.Error("no row has run")
		}
		a.end(&r)
	})
}
