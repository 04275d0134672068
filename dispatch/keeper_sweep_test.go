package dispatch_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// stuck has the database refuse to delete the row of a file, until the caller calls free.
func (a *attic) stuck(row string) (free func()) {
	a.t.Helper()
	plant, away := []string{`CREATE TRIGGER stuck BEFORE DELETE ON events WHEN OLD.row = ` + row + ` BEGIN SELECT RAISE(ABORT, 'stuck'); END`}, "DROP TRIGGER stuck"
	if a.DB.Pool != nil {
		plant = []string{
			"CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$",
			"CREATE TRIGGER stuck BEFORE DELETE ON events FOR EACH ROW WHEN (OLD.row = " + row + ") EXECUTE FUNCTION stuck()",
		}
		away += " ON events"
	}
	for _, text := range plant {
		a.fine(a.DB.Write.Exec(text).Error)
	}
	return func() { a.fine(a.DB.Write.Exec(away).Error) }
}

// TestSweep_BreaksOffInTheMiddle_IsFinishedByTheKeeper deletes a task of 5,000 rows in ranges.
func TestSweep_BreaksOffInTheMiddle_IsFinishedByTheKeeper(t *testing.T) {
	on(t, func(f *farm) {
		a := newAttic(f)
		const rows = 5000
		task := a.imported(rows, 30*day)
		a.finish(task.Num, 1, rows)
		free := a.stuck("3000")
		left, err := a.Tasks.Erase(t.Context(), "acme", task.ID, func(context.Context, ledger.Tx) error { return nil })
		a.fine(err)
		if err := a.Tasks.Sweep(t.Context(), left, a.Events.Erase); err == nil {
			t.Fatal("Sweep deleted the row")
		}
		list, err := a.Events.List(t.Context(), task.Num, events.Filter{Limit: rows})
		if err != nil || len(list) == rows || len(list) < rows-3000 {
			t.Errorf("%d rows are left, %v; want a part", len(list), err)
		}
		a.stands("while it is deleted", task, tasks.ErrNotFound, true, 50)
		free()
		a.keep()
		a.stands("after the keeper", task, tasks.ErrExpired, false, 0)
		if left, err := a.Tasks.Sweeping(t.Context(), 0, 10); err != nil || len(left) != 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	})
}

// TestKeep_SweepOfATaskFails_SweepsLaterTasks has the database refuse to delete row 5 of the
// first task.
func TestKeep_SweepOfATaskFails_SweepsLaterTasks(t *testing.T) {
	on(t, func(f *farm) {
		a := newAttic(f)
		first, later := a.deleted(5), a.deleted(2)
		free := a.stuck("5")
		a.now = a.now.Add(10 * time.Minute)
		k := dispatch.NewKeeper(a.Tasks, a.Events, a.Files, dispatch.KeeperOptions{})
		if err := k.Keep(t.Context()); err == nil {
			t.Error("Keep returned no error")
		}
		a.stands("while its sweep fails", first, tasks.ErrNotFound, false, 5)
		a.stands("after the first failed", later, tasks.ErrExpired, false, 0)
		free()
		a.keep()
		a.stands("after the next sweep", first, tasks.ErrExpired, false, 0)
	})
}

// deleted returns a task of n rows that was deleted and is not swept.
func (a *attic) deleted(n int64) *tasks.Task {
	a.t.Helper()
	task := a.imported(int(n), 30*day)
	a.finish(task.Num, 1, n)
	_, err := a.Tasks.Erase(a.t.Context(), "acme", task.ID, func(context.Context, ledger.Tx) error { return nil })
	a.fine(err)
	return task
}
