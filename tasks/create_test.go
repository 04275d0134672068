package tasks_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// desk is a store of tasks, with a clock that the test moves.
type desk struct {
	*testing.T
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	now    atomic.Int64 // unix ms
}

func on(t *testing.T, story func(*desk)) { ledgers.Each(t, opened(story)) }

// byTier runs a test on the databases of ledgers.ByTier. It is for stories whose statements other
// tests run on Postgres in `make test`.
func byTier(t *testing.T, story func(*desk)) { ledgers.ByTier(t, opened(story)) }

func opened(story func(*desk)) func(*testing.T, string) {
	return func(t *testing.T, url string) {
		d := &desk{T: t}
		d.now.Store(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC).UnixMilli())
		var err error
		if d.db, err = ledger.Open(t.Context(), url, ledger.Options{}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.db.Close() })
		clock := func() time.Time { return time.UnixMilli(d.now.Load()) }
		d.tasks = tasks.New(d.db, tasks.Options{Now: clock})
		d.events = events.New(d.db, events.Options{Now: clock})
		story(d)
	}
}

func (d *desk) pass(by time.Duration) { d.now.Add(by.Milliseconds()) }

func (d *desk) fine(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// sheet returns an open task without a file, as POST /tasks adds it with open.
func sheet(parent *tasks.Task) *tasks.Task {
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open,
	}
	if parent != nil {
		t.ParentID = parent.ID
	}
	return t
}

func (d *desk) open(parent *tasks.Task) *tasks.Task {
	d.Helper()
	t := sheet(parent)
	d.fine(d.tasks.Create(d.Context(), t, time.Hour))
	return t
}

// add appends n rows to an open task, and closes it if final.
func (d *desk) add(t *tasks.Task, n int, final bool) {
	d.Helper()
	c := events.Chunk{Num: t.Num, Count: true, Final: final}
	for range n {
		c.Rows = append(c.Rows, events.Draft{Key: "k", Params: []byte("{}")})
	}
	_, err := d.events.Append(d.Context(), c)
	d.fine(err)
}

func (d *desk) finish(t *tasks.Task, seq int64) {
	d.Helper()
	made, err := d.events.Record(d.Context(), []events.Move{{
		ID: events.NewID(t.Num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1,
	}})
	if err != nil || !made[0] {
		d.Fatalf("finish = %v, %v", made, err)
	}
}

func (d *desk) get(t *tasks.Task) *tasks.Task {
	d.Helper()
	got, err := d.tasks.Get(d.Context(), "acme", t.ID)
	d.fine(err)
	return got
}

func (d *desk) is(t *tasks.Task, want tasks.Status) {
	d.Helper()
	if got := d.get(t).Status; got != want {
		d.Errorf("task %d is %s, want %s", t.Num, got, want)
	}
}

func TestAnOpenTaskEndsOnlyWhenItIsClosed(t *testing.T) {
	on(t, func(d *desk) {
		task := d.open(nil)
		d.add(task, 2, false)
		d.finish(task, 1)
		d.finish(task, 2)
		d.is(task, tasks.Open)
		d.add(task, 1, false)
		d.add(task, 0, true)
		d.is(task, tasks.Running)
		d.finish(task, 3)
		d.is(task, tasks.Finished)
		_, err := d.events.Append(d.Context(), events.Chunk{Num: task.Num, Final: true})
		if !errors.Is(err, events.ErrClaimLost) {
			d.Errorf("a row for a closed task: %v, want ErrClaimLost", err)
		}
		list, err := d.events.List(d.Context(), task.Num, events.Filter{})
		d.fine(err)
		for i, e := range list {
			if e.Row != i+1 || e.ID.Seq() != int64(i+1) {
				d.Errorf("row %d has number %d", e.ID.Seq(), e.Row)
			}
		}
	})
}

func TestAnEmptyTaskEndsAsItIsClosed(t *testing.T) {
	on(t, func(d *desk) {
		task := d.open(nil)
		d.add(task, 0, true)
		d.is(task, tasks.Finished)
	})
}

// TestAParentWaitsForItsChildren ends the rows of a parent before its children end.
func TestAParentWaitsForItsChildren(t *testing.T) {
	on(t, func(d *desk) {
		top := d.open(nil)
		mid := d.open(top)
		low := d.open(mid)
		d.add(top, 1, true)
		d.finish(top, 1)
		d.is(top, tasks.Running)
		d.add(low, 1, true)
		d.add(mid, 0, true)
		d.is(mid, tasks.Running)
		if got := d.get(top); got.Children != 1 || got.ChildrenDone != 0 {
			d.Errorf("children %d, done %d; want 1 and 0", got.Children, got.ChildrenDone)
		}
		open, err := d.tasks.Children(d.Context(), top.Num)
		if err != nil || len(open) != 1 || open[0].ID != mid.ID {
			d.Errorf("Children = %v, %v", open, err)
		}
		d.finish(low, 1)
		d.is(low, tasks.Finished)
		d.is(mid, tasks.Finished)
		d.is(top, tasks.Finished)
		if err := d.tasks.Create(d.Context(), sheet(top), time.Hour); !errors.Is(err, tasks.ErrParent) {
			d.Errorf("a child of a done task: %v, want ErrParent", err)
		}
	})
}

// TestAnOpenParentStaysOpen: an open task does not end when its children are done, because it may
// get rows.
func TestAnOpenParentStaysOpen(t *testing.T) {
	byTier(t, func(d *desk) {
		top := d.open(nil)
		d.add(d.open(top), 0, true)
		d.is(top, tasks.Open)
		d.add(top, 0, true)
		d.is(top, tasks.Finished)
	})
}

func TestCreate_UnfitParent_IsRefused(t *testing.T) {
	byTier(t, func(d *desk) {
		stranger := sheet(nil)
		stranger.Tenant = "globex"
		d.fine(d.tasks.Create(d.Context(), stranger, time.Hour))
		for name, parent := range map[string]*tasks.Task{"another tenant's": stranger, "nobody": sheet(nil)} {
			child := sheet(parent)
			if err := d.tasks.Create(d.Context(), child, time.Hour); !errors.Is(err, tasks.ErrParent) {
				d.Errorf("%s: %v, want ErrParent", name, err)
			}
			if _, err := d.tasks.Get(d.Context(), "acme", child.ID); !errors.Is(err, tasks.ErrNotFound) {
				d.Errorf("%s: the child is there: %v", name, err)
			}
		}
		last := d.open(nil)
		for range 10 {
			last = d.open(last)
		}
		if err := d.tasks.Create(d.Context(), sheet(last), time.Hour); !errors.Is(err, tasks.ErrParent) {
			d.Errorf("eleven ancestors: %v, want ErrParent", err)
		}
	})
}

// TestManyChildrenEndAtOnce ends the children of a task, and a row of its own, in parallel. The
// task ends once, when all have ended.
func TestManyChildrenEndAtOnce(t *testing.T) {
	on(t, func(d *desk) {
		top := d.open(nil)
		d.add(top, 1, true)
		all := []*tasks.Task{top}
		for range 8 {
			child := d.open(top)
			d.add(child, 1, true)
			all = append(all, child)
		}
		var wg sync.WaitGroup
		for _, task := range all {
			wg.Go(func() { d.finish(task, 1) })
		}
		wg.Wait()
		if got := d.get(top); got.Status != tasks.Finished || got.ChildrenDone != 8 {
			d.Errorf("%s with %d children done, want finished with 8", got.Status, got.ChildrenDone)
		}
	})
}

func (d *desk) once(ended bool) (made, old *tasks.Task) {
	d.Helper()
	made = sheet(nil)
	old, err := d.tasks.CreateOnce(d.Context(), made, tasks.Terms{
		Keep: time.Hour, Once: tasks.Dedup{Key: "same", Window: 10 * time.Minute, Ended: ended},
	})
	d.fine(err)
	return made, old
}

func TestTheSameWorkIsThereOnce(t *testing.T) {
	on(t, func(d *desk) {
		first, old := d.once(false)
		if old != nil {
			d.Fatalf("the first one found %v", old)
		}
		if _, old = d.once(false); old == nil || old.ID != first.ID {
			d.Fatalf("the second one found %v, want the first", old)
		}
		d.pass(11 * time.Minute)
		second, old := d.once(false)
		if old != nil {
			d.Fatalf("behind the window, %v was found", old)
		}
		d.add(second, 1, true)
		d.finish(second, 1)
		if _, old = d.once(true); old == nil || old.ID != second.ID {
			d.Errorf("where an ended one counts, %v was found", old)
		}
		third, old := d.once(false)
		if old != nil {
			d.Fatalf("an ended one was found: %v", old)
		}
		d.add(third, 0, false)
		_, err := d.events.Append(d.Context(), events.Chunk{Num: third.Num, Final: true, Problem: "broken"})
		d.fine(err)
		if _, old = d.once(true); old != nil {
			d.Errorf("one that failed was found: %v", old)
		}
	})
}

func TestOfManyThatCreateTheSameOneWins(t *testing.T) {
	on(t, func(d *desk) {
		d.once(false)
		d.pass(time.Hour) // the task above is now too old, so the first of the others takes its key
		var wg sync.WaitGroup
		var won atomic.Int64
		for range 12 {
			wg.Go(func() {
				if _, old := d.once(false); old == nil {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			d.Errorf("%d made the task, want 1", won.Load())
		}
	})
}

func TestAnAbandonedTaskIsTakenOver(t *testing.T) {
	byTier(t, func(d *desk) {
		task := sheet(nil)
		task.Status = tasks.Splitting
		claim, err := d.tasks.CreateHeld(d.Context(), task, tasks.Terms{Keep: time.Hour}, 30*time.Second)
		d.fine(err)
		add := func() error {
			_, err := d.events.Append(d.Context(), events.Chunk{
				Num: task.Num, Claim: int64(claim), TTL: 30 * time.Second, Count: true,
				Rows: []events.Draft{{Params: []byte("{}")}},
			})
			return err
		}
		d.fine(add())
		d.open(nil) // has no claim, so it is never abandoned
		if got, _, err := d.tasks.ClaimAbandoned(d.Context(), time.Minute); err != nil || got != nil {
			d.Fatalf("taken over in time: %v, %v", got, err)
		}
		d.pass(time.Minute)
		got, _, err := d.tasks.ClaimAbandoned(d.Context(), time.Minute)
		if err != nil || got == nil || got.Num != task.Num {
			d.Fatalf("ClaimAbandoned = %v, %v", got, err)
		}
		if err := add(); !errors.Is(err, events.ErrClaimLost) {
			d.Errorf("the old program added: %v, want ErrClaimLost", err)
		}
		if got, _, err := d.tasks.ClaimAbandoned(d.Context(), time.Minute); err != nil || got != nil {
			d.Errorf("taken over twice: %v, %v", got, err)
		}
	})
}

func TestATaskThatStartsLater(t *testing.T) {
	on(t, func(d *desk) {
		task := sheet(nil)
		task.RunAt = d.now.Load() + 60_000
		d.fine(d.tasks.Create(d.Context(), task, time.Hour))
		feeds := func() int {
			list, err := lanes.New(d.tasks).Feeds(context.Background())
			d.fine(err)
			return len(list)
		}
		if n := feeds(); n != 0 {
			d.Errorf("%d feeds before its time", n)
		}
		d.pass(time.Minute)
		if n := feeds(); n != 1 {
			d.Errorf("%d feeds at its time, want 1", n)
		}
	})
}
