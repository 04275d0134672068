package events_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestForgetRunners_ManyTasks_ReadsTheOldestTaskOnly checks the plans of both databases.
func TestForgetRunners_ManyTasks_ReadsTheOldestTaskOnly(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		how := "EXPLAIN QUERY PLAN "
		if db.Pool != nil {
			how = "EXPLAIN "
		}
		plan := planOf(t, db, how+events.ForgetRunnersSQL, ledger.Args{"before": 1, "slack": 1, "most": 1})
		if !strings.Contains(plan, "tasks_kept_idx") {
			t.Errorf("the index of kept tasks is not read:\n%s", plan)
		}
	})
}

// TestForgetRunners_RowsOfARunnerArePurged_RunnerIsForgotten: a runner stays while a task is kept
// whose rows it may have run. It is added again when it runs a row.
func TestForgetRunners_RowsOfARunnerArePurged_RunnerIsForgotten(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		now := time.Now()
		es := events.New(db, events.Options{Now: func() time.Time { return now }})
		task := split(t, db, true, good(2), good(3))
		register := func(build string) int32 {
			by, err := es.Register(t.Context(), events.Runner{Worker: "w", Build: build})
			if err != nil {
				t.Fatal(err)
			}
			return by
		}
		old, last := register("old"), register("last")
		forget := func(want int64) {
			t.Helper()
			if n, err := es.ForgetRunners(t.Context()); err != nil || n != want {
				t.Errorf("ForgetRunners = %d, %v; want %d", n, err, want)
			}
		}
		now = now.Add(90 * 24 * time.Hour)
		forget(0)
		run(t, db, "UPDATE rollcall.tasks SET purged_at = 1")
		forget(1)
		if r, err := es.Runner(t.Context(), &last); err != nil || r.Build != "last" {
			t.Errorf("Runner = %+v, %v; want last", r, err)
		}
		run(t, db, "UPDATE rollcall.tasks SET purged_at = 0")
		for name, finish := range map[string]func() error{
			"Record": func() error {
				_, err := es.Record(t.Context(), []events.Move{{
					ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1, By: old,
				}})
				return err
			},
			"GroupTx": func() error {
				g, err := es.Begin(t.Context())
				if err != nil {
					return err
				}
				_, err = g.Record(t.Context(), es.Point().Timeline, []events.Move{{
					ID: events.NewID(task.Num, 2), From: events.Enqueue, To: events.Finish, Attempt: 1, By: old,
				}})
				return err
			},
		} {
			run(t, db, "DELETE FROM rollcall.runners WHERE build = 'old'")
			now = now.Add(2 * time.Hour)
			if err := finish(); err != nil {
				t.Fatal(name, err)
			}
			fresh := events.New(db, events.Options{})
			if r, err := fresh.Runner(t.Context(), &old); err != nil || r.Build != "old" {
				t.Errorf("%s: Runner = %+v, %v; want old", name, r, err)
			}
		}
		forget(0)
	})
}

// twoHoursOn registers a runner and moves the clock by two hours, so that the next Record notes that
// the runner is alive.
func twoHoursOn(t *testing.T, db *ledger.DB) (es *events.Store, task *tasks.Task, by int32, now time.Time) {
	t.Helper()
	now = time.Now()
	es = events.New(db, events.Options{Now: func() time.Time { return now }})
	task = split(t, db, true, good(2))
	by, err := es.Register(t.Context(), events.Runner{Worker: "w"})
	fine(t, err)
	now = now.Add(2 * time.Hour)
	return es, task, by, now
}

// TestGroupTx_RunnerIsNoted_LocksTheRunnerBeforeTheTask has a transaction hold the runner.
// Store.Record locks the runner and the task in the same order.
func TestGroupTx_RunnerIsNoted_LocksTheRunnerBeforeTheTask(t *testing.T) {
	t.Parallel()
	db := open(t, ledgers.Postgres(t))
	es, task, by, _ := twoHoursOn(t, db)
	holder := db.Write.WithContext(t.Context()).Begin()
	fine(t, holder.Exec("SELECT num FROM rollcall.runners FOR UPDATE").Error)
	done := make(chan error, 1)
	go func() {
		g, err := es.Begin(t.Context())
		if err == nil {
			_, err = g.Record(t.Context(), es.Point().Timeline, []events.Move{{
				ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1, By: by,
			}})
		}
		done <- err
	}()
	fixture.Eventually(t, "Record waits for the runner", func() bool { return waiting(t, db) > 0 })
	if err := holder.Exec("SELECT num FROM rollcall.tasks FOR UPDATE NOWAIT").Error; err != nil {
		t.Error("the task is locked before the runner:", err)
	}
	fine(t, holder.Rollback().Error)
	fine(t, <-done)
}

// TestRecord_IsRolledBack_NotesTheRunnerTheNextTime has the database refuse the first update.
func TestRecord_IsRolledBack_NotesTheRunnerTheNextTime(t *testing.T) {
	t.Parallel()
	db := open(t, ledgers.SQLite(t))
	es, task, by, now := twoHoursOn(t, db)
	record := func() error {
		_, err := es.Record(t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1, By: by,
		}})
		return err
	}
	run(t, db, "CREATE TRIGGER broken BEFORE UPDATE ON rollcall.events BEGIN SELECT RAISE(ABORT, 'broken'); END")
	if err := record(); err == nil {
		t.Error("Record returned no error")
	}
	run(t, db, "DROP TRIGGER broken")
	fine(t, record())
	var seen int64
	fine(t, db.Read.Raw("SELECT seen_at FROM rollcall.runners").Scan(&seen).Error)
	if seen != now.UnixMilli() {
		t.Errorf("the runner was seen at %d, want %d", seen, now.UnixMilli())
	}
}

func open(t *testing.T, url string) *ledger.DB {
	t.Helper()
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	fine(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
