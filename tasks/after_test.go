package tasks_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// following returns a new task that starts after others.
func following(parent *tasks.Task, others ...*tasks.Task) *tasks.Task {
	t := sheet(parent)
	for _, o := range others {
		t.After = append(t.After, o.ID)
	}
	return t
}

// follows adds a closed task of one row that starts after others. If well is true, it starts only if
// they succeed.
func (d *desk) follows(well bool, others ...*tasks.Task) *tasks.Task {
	d.Helper()
	t := following(nil, others...)
	t.AfterWell = well
	d.fine(d.tasks.Create(d.Context(), t, time.Hour))
	d.add(t, 1, true)
	return t
}

// fails ends row 1 of a task with a business failure.
func (d *desk) fails(t *tasks.Task) {
	d.Helper()
	made, err := d.events.Record(d.Context(), []events.Move{{
		ID: events.NewID(t.Num, 1), From: events.Enqueue, To: events.Failed, Attempt: 1,
		Failure: &events.Failure{Code: "WRONG", Message: "It is wrong."},
	}})
	if err != nil || !made[0] {
		d.Fatalf("fail = %v, %v", made, err)
	}
}

// fed reports whether feeders push rows of the task.
func (d *desk) fed(t *tasks.Task) bool {
	d.Helper()
	var n int64
	_, err := ledger.Row(d.Context(), d.db.Reader(),
		"SELECT count(*) FROM rollcall.feeds WHERE task_num = @num AND due_at = 0", ledger.Args{"num": t.Num}, &n)
	d.fine(err)
	return n == 1
}

func (d *desk) waits(t *tasks.Task, n int64) {
	d.Helper()
	if got := d.get(t); got.Awaits != n || d.fed(t) != (n == 0) {
		d.Errorf("task %d waits for %d tasks and is fed: %v; want it to wait for %d", t.Num, got.Awaits, d.fed(t), n)
	}
}

func (d *desk) closed() *tasks.Task {
	d.Helper()
	t := d.open(nil)
	d.add(t, 1, true)
	return t
}

func TestTaskAfterOthers_AllEnded_Starts(t *testing.T) {
	byTier(t, func(d *desk) {
		one, two := d.closed(), d.closed()
		next := d.follows(false, one, two)
		d.waits(next, 2)
		d.finish(one, 1)
		d.waits(next, 1)
		d.fails(two)
		d.waits(next, 0)
		d.finish(next, 1)
		d.is(next, tasks.Finished)
		d.waits(d.follows(false, one, two), 0) // they have ended before
	})
}

// TestTaskAfterOthers_ManyEndInOneGroup_Starts ends several tasks of one job in one call of Record.
func TestTaskAfterOthers_ManyEndInOneGroup_Starts(t *testing.T) {
	on(t, func(d *desk) {
		one, two, three := d.closed(), d.closed(), d.closed()
		next := d.follows(false, one, two)
		var moves []events.Move
		for _, task := range []*tasks.Task{one, two, three} {
			moves = append(moves, events.Move{ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1})
		}
		_, err := d.events.Record(d.Context(), moves)
		d.fine(err)
		d.waits(next, 0)
	})
}

func TestTaskAfterOthers_EndAtTheSameTime_Starts(t *testing.T) {
	on(t, func(d *desk) {
		var all []*tasks.Task
		for range 8 {
			all = append(all, d.closed())
		}
		next := d.follows(true, all...)
		var wg sync.WaitGroup
		for _, task := range all {
			wg.Go(func() { d.finish(task, 1) })
		}
		wg.Wait()
		d.waits(next, 0)
	})
}

func TestTaskAfterSuccess_Failures_WaitsUntilRepaired(t *testing.T) {
	on(t, func(d *desk) {
		first := d.closed()
		next := d.follows(true, first)
		d.fails(first)
		d.is(first, tasks.Failed)
		d.waits(next, 1)
		d.rerun(first)
		d.waits(next, 1)
		d.finishAgain(first)
		d.is(first, tasks.Finished)
		d.waits(next, 0)
	})
}

// rerun resubmits row 1 of a task.
func (d *desk) rerun(t *tasks.Task) {
	d.Helper()
	e, err := d.events.Get(d.Context(), events.NewID(t.Num, 1))
	d.fine(err)
	d.fine(d.db.InTx(d.Context(), func(tx ledger.Tx) error {
		if err := d.events.RunAgain(d.Context(), tx, events.Rerun{Num: t.Num, Rows: []*events.Event{e}}); err != nil {
			return err
		}
		_, err := tx.Exec(d.Context(), "UPDATE rollcall.events SET status = 'enqueue' WHERE id = @id", ledger.Args{"id": int64(e.ID)})
		return err
	}))
}

func (d *desk) finishAgain(t *tasks.Task) {
	d.Helper()
	e, err := d.events.Get(d.Context(), events.NewID(t.Num, 1))
	d.fine(err)
	made, err := d.events.Record(d.Context(), []events.Move{{
		ID: e.ID, From: events.Enqueue, To: events.Finish, FromAttempt: e.Attempt, Attempt: e.Attempt + 1,
	}})
	if err != nil || !made[0] {
		d.Fatalf("finish again = %v, %v", made, err)
	}
}

// TestTaskAfterOthers_WithoutRows_EndsInTurn: an empty task does not end before the tasks that it
// starts after, and its end starts the tasks behind it.
func TestTaskAfterOthers_WithoutRows_EndsInTurn(t *testing.T) {
	on(t, func(d *desk) {
		first := d.closed()
		empty := following(nil, first)
		d.fine(d.tasks.Create(d.Context(), empty, time.Hour))
		d.add(empty, 0, true)
		last := d.follows(true, empty)
		d.is(empty, tasks.Running)
		d.finish(first, 1)
		d.is(empty, tasks.Finished)
		d.waits(last, 0)
	})
}

func TestTaskAfterOthers_OneCanceled_IsCanceled(t *testing.T) {
	on(t, func(d *desk) {
		first := d.open(nil)
		next := d.follows(false, first)
		last := d.follows(false, next)
		d.fine(d.tasks.Cancel(d.Context(), "acme", first.ID))
		d.fine(d.db.InTx(d.Context(), func(tx ledger.Tx) error { return d.events.Complete(d.Context(), tx, first.Num) }))
		d.is(first, tasks.Canceled)
		d.is(next, tasks.Canceling)
		if p := d.get(next).Problem; p == nil || p.Code != "AFTER_CANCELED" {
			d.Errorf("the problem of the next task is %v", p)
		}
		_, err := d.events.Cancel(d.Context(), events.Range{Num: next.Num, Last: 1}, true)
		d.fine(err)
		d.is(next, tasks.Canceled)
		d.is(last, tasks.Canceling)
	})
}

func TestTaskAfterOthers_PausedMeanwhile_StartsWithResume(t *testing.T) {
	byTier(t, func(d *desk) {
		first := d.closed()
		next := d.follows(false, first)
		d.fine(d.tasks.Pause(d.Context(), "acme", next.ID))
		d.fine(d.tasks.Resume(d.Context(), "acme", next.ID))
		d.waits(next, 1)
		d.fine(d.tasks.Pause(d.Context(), "acme", next.ID))
		d.finish(first, 1)
		if d.fed(next) {
			d.Error("a paused task is fed")
		}
		d.fine(d.tasks.Resume(d.Context(), "acme", next.ID))
		d.waits(next, 0)
	})
}

func TestTaskAfterOthers_NoneSuch_IsRefused(t *testing.T) {
	byTier(t, func(d *desk) {
		stranger := sheet(nil)
		stranger.Tenant = "globex"
		d.fine(d.tasks.Create(d.Context(), stranger, time.Hour))
		canceled := d.open(nil)
		d.fine(d.tasks.Cancel(d.Context(), "acme", canceled.ID))
		parent := d.open(nil)
		behind := d.follows(false, parent)
		for name, c := range map[string]struct {
			task *tasks.Task
			want error
		}{
			"another tenant's":        {following(nil, stranger), tasks.ErrAfterUnknown},
			"nobody's":                {following(nil, sheet(nil)), tasks.ErrAfterUnknown},
			"canceled":                {following(nil, canceled), tasks.ErrAfterEnded},
			"its parent":              {following(parent, parent), tasks.ErrAfterCycle},
			"one that follows parent": {following(parent, behind), tasks.ErrAfterCycle},
		} {
			if err := d.tasks.Create(d.Context(), c.task, time.Hour); !errors.Is(err, c.want) {
				d.Errorf("%s: %v, want %v", name, err, c.want)
			}
			if _, err := d.tasks.Get(d.Context(), "acme", c.task.ID); !errors.Is(err, tasks.ErrNotFound) {
				d.Errorf("%s: the task is there: %v", name, err)
			}
		}
		d.fine(d.tasks.Create(d.Context(), following(parent, d.open(parent)), time.Hour)) // a child may start after another child of the same parent
	})
}

func TestTaskAfterSuccess_OtherDeleted_IsCanceled(t *testing.T) {
	on(t, func(d *desk) {
		first := d.closed()
		next := d.follows(true, first)
		d.fails(first)
		d.pass(2 * time.Hour)
		if n, err := d.tasks.Purge(d.Context(), 10); err != nil || n != 0 {
			d.Errorf("Purge = %d, %v; want none while a task waits", n, err)
		}
		_, err := d.tasks.Erase(d.Context(), "acme", first.ID, func(context.Context, ledger.Tx) error { return nil })
		d.fine(err)
		d.is(next, tasks.Canceling)
	})
}

func TestExportAfterOthers_Waiting_IsNotPlanned(t *testing.T) {
	on(t, func(d *desk) {
		first := d.closed()
		export := following(nil, first)
		export.Type, export.Unmerged = tasks.Export, true
		d.fine(d.tasks.Create(d.Context(), export, time.Hour))
		work := func() (n int64) {
			_, err := ledger.Row(d.Context(), d.db.Reader(), "SELECT work FROM rollcall.tasks WHERE num = @num", ledger.Args{"num": export.Num}, &n)
			d.fine(err)
			return n
		}
		if n := work(); n != 0 {
			d.Errorf("work %d while it waits, want 0", n)
		}
		d.finish(first, 1)
		if n := work(); n != 2 {
			d.Errorf("work %d, want that its parts are planned", n)
		}
	})
}

func TestTree_ChildrenAndTasksBefore_AreThere(t *testing.T) {
	on(t, func(d *desk) {
		parent := d.open(nil)
		child := d.open(parent)
		first := d.closed()
		next := d.follows(false, parent, first)
		d.open(nil) // not a part of the tree
		list, more, err := d.tasks.Tree(d.Context(), next)
		d.fine(err)
		var nums []int64
		for _, one := range list {
			nums = append(nums, one.Num)
		}
		if want := []int64{next.Num, first.Num, child.Num, parent.Num}; more || !slices.Equal(nums, want) {
			d.Errorf("the tree has the tasks %v, want %v", nums, want)
		}
	})
}
