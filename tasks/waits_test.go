package tasks_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
	"github.com/rollcall-dev/rollcall/tasks"
)

// waiting describes each waiting task: its tenant, kind and duration, and whether it is unread or
// paused.
func (d *desk) waiting() (out []string) {
	d.Helper()
	list, err := d.tasks.Waits(d.Context())
	d.fine(err)
	for _, w := range list {
		text := fmt.Sprintf("%s %s %v", w.Tenant, w.Kind, time.UnixMilli(d.now.Load()).Sub(w.Since))
		if w.Unread {
			text += " unread"
		}
		if w.TenantPaused {
			text += " paused"
		}
		out = append(out, text)
	}
	return out
}

// TestWaits_RowsInTheLedger_NamesTheOldestOfEachLaneAndPriority: before and after a feeder gave a
// task its place.
func TestWaits_RowsInTheLedger_NamesTheOldestOfEachLaneAndPriority(t *testing.T) {
	on(t, func(d *desk) {
		add := func(tenant, kind string, priority int) *tasks.Task {
			t := d.file(tenant, kind, "f", priority)
			d.fine(d.db.Write.Exec("UPDATE rollcall.tasks SET total = 5, enqueue = 5, total_is_final = TRUE WHERE num = ?", t.Num).Error)
			d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET unfed = 5, reading = FALSE WHERE task_num = ?", t.Num).Error)
			d.pass(time.Minute)
			return t
		}
		old := add("acme", "k", 0)
		add("acme", "k", 0)
		add("acme", "k", 9)
		add("globex", "m", 0)
		all := []string{"acme k 4m0s", "acme k 3m0s", "acme k 2m0s", "globex m 1m0s"}
		d.same(all, d.waiting()) // no feeder has given one a place
		_, err := lanes.New(d.tasks).Lanes(d.Context())
		d.fine(err)
		d.same([]string{"acme k 4m0s", "acme k 2m0s", "globex m 1m0s"}, d.waiting())

		d.fine(d.tasks.PauseTenant(d.Context(), "globex", true))
		d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET unfed = 0, fed = 5 WHERE task_num = ?", old.Num).Error)
		d.same([]string{"acme k 3m0s", "acme k 2m0s", "globex m 1m0s paused"}, d.waiting())
		// Redis has enough rows of its keys, so its rows are held.
		d.fine(d.db.Write.Exec("INSERT INTO rollcall.held_keys (lane, key, most) SELECT lane, 'x', 4 FROM rollcall.feeds WHERE task_num = ?", old.Num).Error)
		d.fine(d.db.Write.Exec("INSERT INTO rollcall.held (lane, key, place, first, last, rows, seqs) SELECT lane, 'x', 1, ?, ?, 1, '5' FROM rollcall.feeds WHERE task_num = ?", old.Num<<32|5, old.Num<<32|5, old.Num).Error)
		d.same([]string{"acme k 3m0s", "acme k 2m0s", "globex m 1m0s paused"}, d.waiting())
		d.fine(d.tasks.PauseTenant(d.Context(), "acme", true))
		d.same("acme k 4m0s paused", d.waiting()[0])
		d.fine(d.tasks.PauseTenant(d.Context(), "acme", false))
		// Redis was lost. The rows of the task are to be pushed again, and wait since a count changed.
		d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET again_to = 5 WHERE task_num = ?", old.Num).Error)
		d.fine(d.db.Write.Exec("UPDATE rollcall.tasks SET moved_at = ? WHERE num = ?", d.now.Load()-1000, old.Num).Error)
		d.same([]string{"acme k 1s", "acme k 3m0s", "acme k 2m0s", "globex m 1m0s paused"}, d.waiting())
	})
}

// TestWaits_UnreadFileOrLaterTime_WaitsForIt checks that a task with an unread file counts, and a
// delayed task once its start time has passed.
func TestWaits_UnreadFileOrLaterTime_WaitsForIt(t *testing.T) {
	on(t, func(d *desk) {
		d.file("acme", "k", "f", 0)
		later := &tasks.Task{
			ID: tasks.NewID(), Tenant: "globex", Kind: "k", Type: tasks.Batch, Status: tasks.Open,
			RunAt: d.now.Load() + time.Hour.Milliseconds(),
		}
		d.fine(d.tasks.Create(d.Context(), later, time.Hour))
		d.add(later, 2, true)
		d.pass(time.Minute)
		d.same([]string{"acme k 1m0s unread"}, d.waiting())
		d.pass(time.Hour)
		d.same([]string{"acme k 1h1m0s unread", "globex k 1m0s"}, d.waiting())
	})
}

// TestWaits_ManyTasksWait_ReadsTheFirstOfEachPriority checks that Waits and FirstAhead read only a few
// rows if thousands of tasks wait.
func TestWaits_ManyTasksWait_ReadsTheFirstOfEachPriority(t *testing.T) {
	on(t, func(d *desk) {
		many := testenv.Size(4_000, 100_000)
		d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, status, total, enqueue, total_is_final, created_at)
			SELECT 'w' || i, CASE i % 2 WHEN 0 THEN 'acme' ELSE 'globex' END, 'k', 'batch', 'running', 1, 1, TRUE, 1 FROM n`, many).Error)
		for _, text := range []string{
			`INSERT INTO rollcall.lanes (tenant, kind) VALUES ('acme', 'k'), ('globex', 'k')`,
			`INSERT INTO rollcall.feeds (task_num, unfed, lane, rank)
			SELECT t.num, 1, n.id, t.num % 4 / 2 FROM rollcall.tasks t JOIN rollcall.lanes n ON n.tenant = t.tenant`,
		} {
			d.fine(d.db.Write.Exec(text).Error)
		}
		args := ledger.Args{"now": int64(1000), "most": 200, "kinds": []string{}}
		for _, when := range []string{"old statistics", "new statistics"} {
			d.same(4, len(d.waiting()))
			d.indexed(tasks.WaitsSQL, args, "feeds_next_idx")
			if read := plans.RowsRead(d, d.db, tasks.WaitsSQL, args); read > 40 {
				d.Errorf("%s: %d rows are read for 4 that are returned", when, read)
			}
			ahead := ledger.Args{"lane": 1, "rank": 1, "num": many - 2}
			first, err := os.ReadFile("../internal/lanes/sql/first_ahead.sql")
			d.fine(err)
			d.indexed(string(first), ahead, "feeds_next_idx")
			if read := plans.RowsRead(d, d.db, string(first), ahead); read > 10 {
				d.Errorf("%s: %d rows are read for the first task ahead", when, read)
			}
			d.fine(d.db.Write.Exec("ANALYZE").Error)
		}
	})
}
