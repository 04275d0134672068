package events_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// states lists the states that a task of one row may have when its row finishes.
var states = []string{
	"rerun = rerun", "rerun = TRUE", "status = 'paused'", "status = 'canceling'", "status = 'canceling', rerun = TRUE",
	"hold = 'refused', status = 'canceling'", "hold = 'block'", "unmerged = TRUE", "total_is_final = FALSE",
	"total = 2, failed = 1", "total = 2, failed = 1, superseded = 1", "total = 2, enqueue = 2", "total = 2, working = 1",
	"children = 1", "children = 1, children_done = 1", "problem = '{}'", "started_at = 5", "retrying = 1", "keep = 7",
	"finished_at = 6, expires_at = 13",
}

// TestRecord_TasksOfAGroup_EndAsOneAloneDoes: a group ends tasks as a single move does.
func TestRecord_TasksOfAGroup_EndAsOneAloneDoes(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		var all []*tasks.Task
		for range 3 * len(states) {
			all = append(all, split(t, db, true, good(2)))
		}
		for i, state := range states {
			alone, grouped, beside := all[3*i], all[3*i+1], all[3*i+2]
			for _, task := range []*tasks.Task{alone, grouped} {
				if err := db.Write.Exec("UPDATE rollcall.tasks SET "+state+" WHERE num = ?", task.Num).Error; err != nil {
					t.Fatal(state, err)
				}
			}
			record(t, db, end(alone, 1, events.Finish))
			record(t, db, end(grouped, 1, events.Finish), end(beside, 1, events.Finish))
			want, got := rest(t, db, alone), rest(t, db, grouped)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-alone +grouped):\n%s", state, diff)
			}
		}
	})
}

// rest returns the ledger's record of a task, without its names and times.
func rest(t *testing.T, db *ledger.DB, task *tasks.Task) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := db.Read.Table("rollcall.tasks").Where("num = ?", task.Num).Take(&out).Error; err != nil {
		t.Fatal(err)
	}
	out["ended"] = out["finished_at"] != int64(0)
	out["kept"] = out["expires_at"].(int64) - out["finished_at"].(int64)
	if out["ended"] == false {
		delete(out, "kept")
	}
	for _, name := range []string{"num", "id", "created_at", "moved_at", "ran_ms", "finished_at", "expires_at", "split_claim", "split_until", "version"} {
		delete(out, name)
	}
	if out["started_at"] != int64(5) {
		delete(out, "started_at")
	}
	var feeds, notices int64
	db.Read.Raw("SELECT count(*) FROM rollcall.feeds WHERE task_num = ?", task.Num).Scan(&feeds)
	db.Read.Raw("SELECT count(*) FROM rollcall.outbox WHERE task_num = ?", task.Num).Scan(&notices)
	out["feeds"], out["notices"] = feeds, notices
	return out
}

// TestRecord_GroupWaitsForATask_HoldsNothingOlder: two groups of outcomes with the same tasks lock the
// youngest task first.
func TestRecord_GroupWaitsForATask_HoldsNothingOlder(t *testing.T) {
	for _, table := range []string{"SELECT num FROM rollcall.tasks WHERE num", "SELECT task_num FROM rollcall.feeds WHERE task_num"} {
		db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		var list []*tasks.Task
		var moves []events.Move
		for range 20 {
			list = append(list, split(t, db, true, good(2)))
			moves = append(moves, end(list[len(list)-1], 1, events.Finish))
		}
		lock := table + " = ? FOR UPDATE"
		other := db.Write.Begin()
		defer other.Rollback()
		if err := other.Exec(lock, list[10].Num).Error; err != nil {
			t.Fatal(err)
		}
		done := go_(func() { record(t, db, moves...) })
		waits(t, db, done)
		for i, want := range map[int]bool{0: true, 9: true, 11: false, 19: false} {
			free := db.Write.Exec("SELECT 1 FROM ("+lock+" SKIP LOCKED) f", list[i].Num).RowsAffected == 1
			if free != want {
				t.Errorf("%s: feed or task %d is free: %v, want %v", table, i, free, want)
			}
		}
		other.Rollback()
		<-done
	}
}

// TestRecord_TaskBetweenHasCheckpoints_TheyAreNotReadAndStay: tasks end in a group, and a task between
// them has many checkpoints.
func TestRecord_TaskBetweenHasCheckpoints_TheyAreNotReadAndStay(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		old, between, young := split(t, db, true, good(2)), split(t, db, true, good(2)), split(t, db, true, good(2))
		checkpoint := func(task *tasks.Task, n int) {
			err := db.Write.Exec("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "+
				"INSERT INTO rollcall.checkpoints (event_id, token, seq) SELECT cast(? AS bigint) + i, 1, 1 FROM n", n, task.Num<<32).Error
			if err != nil {
				t.Fatal(err)
			}
		}
		checkpoint(between, 3000)
		checkpoint(young, 1)
		if db.Pool != nil {
			db.Write.Exec("ANALYZE rollcall.checkpoints")
			read := regexp.MustCompile(`on checkpoints .*rows=(\d+).*rows=(\d+)`)
			many := regexp.MustCompile(`Removed by Filter: \d\d`)
			err := db.InTx(t.Context(), func(tx ledger.Tx) error {
				if _, err := tx.Exec(t.Context(), "SET LOCAL enable_nestloop = off", nil); err != nil { // as Bulk does
					return err
				}
				args := ledger.Args{"nums": []int64{old.Num, young.Num}}
				return tx.Query(t.Context(), "EXPLAIN (ANALYZE) "+events.CheckpointedSQL, args, func(scan ledger.Scan) error {
					var line string
					err := scan(&line)
					if m := read.FindStringSubmatch(line); m != nil && m[2] != "1" || many.MatchString(line) {
						t.Error(line)
					}
					return err
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		record(t, db, end(old, 1, events.Finish), end(young, 1, events.Finish))
		var left []int64
		db.Read.Raw("SELECT DISTINCT event_id >> 32 FROM rollcall.checkpoints").Scan(&left)
		if diff := cmp.Diff([]int64{between.Num}, left); diff != "" {
			t.Errorf("tasks with checkpoints (-want +got):\n%s", diff)
		}
	})
}
