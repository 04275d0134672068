package retention_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/tasks"
)

// stuck makes the database refuse to delete the row `row` of each file, until the caller calls `free`.
func (e *env) stuck(row string) (free func()) {
	e.t.Helper()
	plant, away := []string{`CREATE TRIGGER stuck BEFORE DELETE ON rollcall.events WHEN OLD.row = ` + row + ` BEGIN SELECT RAISE(ABORT, 'stuck'); END`}, "DROP TRIGGER stuck"
	if e.DB.Pool != nil {
		plant = []string{
			"CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$",
			"CREATE TRIGGER stuck BEFORE DELETE ON rollcall.events FOR EACH ROW WHEN (OLD.row = " + row + ") EXECUTE FUNCTION stuck()",
		}
		away += " ON rollcall.events"
	}
	for _, text := range plant {
		e.fine(e.DB.Write.Exec(text).Error)
	}
	return func() { e.fine(e.DB.Write.Exec(away).Error) }
}

// TestClean_SweepBrokeOff_FinishesIt: a deletion of 5,000 rows in ranges breaks off in the middle.
func TestClean_SweepBrokeOff_FinishesIt(t *testing.T) {
	each(t, func(e *env) {
		const rows = 5000
		task := e.imported(rows, 30*day)
		e.finish(task.Num, 1, rows)
		free := e.stuck("3000")
		left, err := e.Tasks.Erase(t.Context(), "acme", task.ID, func(context.Context, ledger.Tx) error { return nil })
		e.fine(err)
		if err := e.Tasks.Sweep(t.Context(), left, e.Events.Erase); err == nil {
			t.Fatal("Sweep deleted the row")
		}
		list, err := e.Events.List(t.Context(), task.Num, events.Filter{Limit: rows})
		if err != nil || len(list) == rows || len(list) < rows-3000 {
			t.Errorf("%d rows are left, %v; want a part", len(list), err)
		}
		e.stands("while it is deleted", task, tasks.ErrNotFound, true, 50)
		free()
		e.clean()
		e.stands("after the cleaner", task, tasks.ErrExpired, false, 0)
		if left, err := e.Tasks.Sweeping(t.Context(), 0, 10); err != nil || len(left) != 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	})
}

// TestClean_SweepOfATaskFails_SweepsLaterTasks: the database refuses to delete row 5 of the first task.
func TestClean_SweepOfATaskFails_SweepsLaterTasks(t *testing.T) {
	each(t, func(e *env) {
		first, later := e.deleted(5), e.deleted(2)
		free := e.stuck("5")
		e.now = e.now.Add(10 * time.Minute)
		c := retention.New(e.Tasks, e.Events, e.Files, retention.Options{})
		if err := c.Clean(t.Context()); err == nil {
			t.Error("Keep returned no error")
		}
		e.stands("while its sweep fails", first, tasks.ErrNotFound, false, 5)
		e.stands("after the first failed", later, tasks.ErrExpired, false, 0)
		free()
		e.clean()
		e.stands("after the next sweep", first, tasks.ErrExpired, false, 0)
	})
}

// deleted returns a task of n rows that was deleted and is not swept.
func (e *env) deleted(n int64) *tasks.Task {
	e.t.Helper()
	task := e.imported(int(n), 30*day)
	e.finish(task.Num, 1, n)
	_, err := e.Tasks.Erase(e.t.Context(), "acme", task.ID, func(context.Context, ledger.Tx) error { return nil })
	e.fine(err)
	return task
}
