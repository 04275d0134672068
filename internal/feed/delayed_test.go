package feed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/tasks"
)

// delayed adds a task with a row for each key; the rows with the given numbers, from 0, start in
// an hour.
func (f *farm) delayed(keys []string, late ...int) *tasks.Task {
	f.t.Helper()
	rows := drafts(keys)
	for _, i := range late {
		rows[i].RunAt = f.now.Add(time.Hour).UnixMilli()
	}
	return f.add(rows)
}

// below returns the numbers from 0 below n.
func below(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// allRun feeds and runs until all tasks are done. It checks that each row ran, in the order of its
// key. A row whose worker was slow may run twice.
func (f *farm) allRun(rows int, what string) {
	f.t.Helper()
	var r ran
	defer f.work(&r, 0)()
	f.drain(what, func(int) {})
	if n := r.ordered(f.t); n < rows {
		f.t.Errorf("%d rows ran, want %d", n, rows)
	}
}

// TestDelayedRows_MoreThanAWindow_HoldUpNoOther has 120 rows that start in an hour, with and
// without keys. They stay in the ledger, and the rows behind them are pushed. At their time all of
// them run.
func TestDelayedRows_MoreThanAWindow_HoldUpNoOther(t *testing.T) {
	on(t, func(f *farm) {
		keys := make([]string, 130)
		for i := range keys {
			if i%2 == 0 {
				keys[i] = fmt.Sprint("k", i)
			}
		}
		f.delayed(keys, below(120)...)
		if n := f.feed(); n != 10 {
			f.t.Errorf("%d keys in Redis, want the 10 that are due", n)
		}
		if n := f.feed(); n != 10 {
			f.t.Errorf("%d keys in Redis after another look, want 10", n)
		}
		f.now = f.now.Add(time.Hour + time.Millisecond)
		f.allRun(130, "delayed rows")
	})
}

// TestDelayedRow_RowsOfItsKey_WaitBehindIt checks that rows of a key run in order, whatever their
// times.
func TestDelayedRow_RowsOfItsKey_WaitBehindIt(t *testing.T) {
	on(t, func(f *farm) {
		f.delayed([]string{"a", "b", "b", "a", "c"}, 1, 3)
		f.rowsOfKeys("b", "a", "d")
		if n := f.feed(); n != 3 {
			f.t.Errorf("%d keys in Redis, want a, c and d", n)
		}
		if a, b := f.inRedis("a"), f.inRedis("b"); a != 1 || b != 0 {
			f.t.Errorf("Redis has %d rows of a and %d of b, want the first of a alone", a, b)
		}
		f.now = f.now.Add(time.Hour + time.Millisecond)
		f.allRun(8, "rows behind a delayed one")
	})
}

// TestDelayedRows_EmptiedRedis_StayInTheLedger checks that only the rows that were due are pushed
// again.
func TestDelayedRows_EmptiedRedis_StayInTheLedger(t *testing.T) {
	on(t, func(f *farm) {
		f.delayed([]string{"", "a", "", "b", "a"}, 2, 3)
		f.feed()
		f.fine(f.Redis.FlushAll(f.t.Context()).Err())
		f.feed() // too soon after the first mark: nothing is pushed
		f.now = f.now.Add(time.Minute)
		if n := f.feed(); n != 2 {
			f.t.Errorf("%d keys in Redis, want the first row and a", n)
		}
		f.now = f.now.Add(time.Hour)
		f.allRun(5, "delayed rows after a wipe")
	})
}

// TestDelayedRow_ItsTaskIsCanceled_HoldsUpNoOtherTask checks that rows of its key in a later task
// run.
func TestDelayedRow_ItsTaskIsCanceled_HoldsUpNoOtherTask(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.delayed([]string{"a", "b"}, 0, 1)
		f.rowsOfKeys("a", "c")
		if n := f.feed(); n != 1 {
			f.t.Errorf("%d keys in Redis, want c", n)
		}
		f.cancelsAll(task, 2)
		f.feed()
		if n := f.inRedis("a"); n != 1 {
			f.t.Errorf("Redis has %d rows of a, want that of the later task", n)
		}
	})
}

// TestDelayedRow_LaterTaskIsCanceled_KeyWaitsForItsTime checks that the key is not due. Otherwise
// 500 such keys would fill each poll of the lane, and due keys would wait.
func TestDelayedRow_LaterTaskIsCanceled_KeyWaitsForItsTime(t *testing.T) {
	on(t, func(f *farm) {
		f.delayed([]string{"a", "b"}, 0, 1)
		twice := f.delayed([]string{"a", "b"}, 0, 1)
		f.feed()
		f.cancelsAll(twice, 2)
		f.feed()
		one, err := lanes.New(f.Tasks).FeedOf(f.t.Context(), twice.Num-1)
		f.fine(err)
		due, err := lanes.New(f.Tasks).DueKeys(f.t.Context(), one.Lane, 10)
		if f.fine(err); len(due) > 0 {
			f.t.Errorf("%v are due, want none", due)
		}
		f.now = f.now.Add(time.Hour)
		f.allRun(2, "the rows of the first task")
	})
}

// TestDelayedRows_Verified_AreNotLost checks that verify does not report these rows as missing in
// Redis.
func TestDelayedRows_Verified_AreNotLost(t *testing.T) {
	on(t, func(f *farm) {
		task := f.delayed([]string{"", "a", "b"}, 0, 1)
		f.feed()
		one, err := lanes.New(f.Tasks).FeedOf(f.t.Context(), task.Num)
		if err != nil || one.HeldRows != 2 || one.InRedis != 1 {
			f.t.Fatalf("the feed is %+v, %v", one, err)
		}
		f.silent("rows wait for their time")
		f.swept("rows wait for their time", reconcile.Repairs{})
	})
}
