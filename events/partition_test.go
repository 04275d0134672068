package events_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// postgres opens a ledger whose next task has a given number.
func postgres(t *testing.T, next int64) *ledger.DB {
	t.Helper()
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	run(t, db, fmt.Sprintf("SELECT setval('rollcall.tasks_num_seq', %d, FALSE)", next))
	return db
}

func run(t *testing.T, db *ledger.DB, statement string) {
	t.Helper()
	if err := db.Write.Exec(statement).Error; err != nil {
		t.Fatal(err)
	}
}

// blocks returns the numbers of the attached partitions.
func blocks(t *testing.T, db *ledger.DB) []int64 {
	t.Helper()
	list, err := events.New(db, events.Options{}).Partitions().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []int64
	for _, p := range list {
		if p.Attached && !p.Pending {
			out = append(out, p.Block)
		}
	}
	return out
}

func wantBlocks(t *testing.T, db *ledger.DB, want ...int64) {
	t.Helper()
	if got := blocks(t, db); !slices.Equal(got, want) {
		t.Errorf("partitions %v, want %v", got, want)
	}
}

// TestANumberWithoutPartition adds a task whose number is beyond the prepared partitions.
func TestANumberWithoutPartition(t *testing.T) {
	t.Parallel()
	for _, num := range []int64{9<<16 + 5, 1<<31 - 1} {
		db := postgres(t, num)
		task := split(t, db, true, good(2), good(3))
		made := record(t, db, events.Move{
			ID: events.NewID(task.Num, 2), From: events.Enqueue, To: events.Finish, Attempt: 1,
		})
		if !made[0] || task.Num != num {
			t.Errorf("task %d: move made: %v", task.Num, made[0])
		}
		wantBlocks(t, db, 0, 2, num>>16)
	}
}

// TestPartitionsArePrepared: each period has a block. Numbers move to the next block once, and only
// if the block was used.
func TestPartitionsArePrepared(t *testing.T) {
	t.Parallel()
	db := postgres(t, 5<<16)
	now := time.Now()
	es := events.New(db, events.Options{Now: func() time.Time { return now }})
	prepare := func(want int) {
		t.Helper()
		if made, err := es.Partitions().Prepare(t.Context(), 24*time.Hour); err != nil || made != want {
			t.Errorf("Prepare = %d, %v, want %d", made, err, want)
		}
	}
	prepare(2) // 5 and 7: it makes sure of 6 first
	wantBlocks(t, db, 0, 2, 5, 6, 7)
	if n := split(t, db, true, good(2)).Num; n != 5<<16 {
		t.Errorf("first number %d, want %d", n, 5<<16)
	}
	now = now.Add(23 * time.Hour)
	prepare(0)
	now = now.Add(2 * time.Hour)
	prepare(1)
	prepare(0)
	if n := split(t, db, true, good(2)).Num; n != 6<<16 {
		t.Errorf("number after a day %d, want %d", n, 6<<16)
	}
	wantBlocks(t, db, 0, 2, 5, 6, 7, 8)
}

// TestPartitionsAreDropped: partitions whose tasks are all purged are dropped, also a partition that a
// process detached before it died.
func TestPartitionsAreDropped(t *testing.T) {
	t.Parallel()
	db := postgres(t, 5<<16)
	es := events.New(db, events.Options{})
	old := split(t, db, true, good(2))
	both := split(t, db, true, good(2))
	run(t, db, "SELECT setval('rollcall.tasks_num_seq', 6 << 16, FALSE)")
	kept := split(t, db, true, good(2))
	discard := func(want int64) {
		t.Helper()
		if n, err := es.Partitions().Drop(t.Context()); err != nil || n != want {
			t.Errorf("Discard = %d, %v, want %d", n, err, want)
		}
	}
	discard(2) // 0 and 2 have no task, and numbers are past them
	wantBlocks(t, db, 5, 6)
	run(t, db, fmt.Sprintf("UPDATE rollcall.tasks SET purged_at = 1 WHERE num = %d", old.Num))
	discard(0)
	run(t, db, fmt.Sprintf("UPDATE rollcall.tasks SET purged_at = 1 WHERE num = %d", both.Num))
	run(t, db, "ALTER TABLE rollcall.events DETACH PARTITION rollcall.events_b5")
	discard(1)
	wantBlocks(t, db, 6)
	if list, err := es.List(t.Context(), kept.Num, events.Filter{}); err != nil || len(list) != 1 {
		t.Errorf("the task that is kept has %d events, %v", len(list), err)
	}
	if list, err := es.List(t.Context(), old.Num, events.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("the purged task has %d events, %v", len(list), err)
	}
}

// TestPlansPrune: statements that read or move events of one task touch one partition.
func TestPlansPrune(t *testing.T) {
	t.Parallel()
	db := postgres(t, 3<<16)
	es := events.New(db, events.Options{})
	for block := int64(3); block < 40; block++ {
		if _, err := es.Partitions().Ensure(t.Context(), block<<16); err != nil {
			t.Fatal(err)
		}
	}
	low, high := int64(events.NewID(5<<16, 0)), int64(events.NewID(5<<16, 1000))
	for name, text := range map[string]string{
		"a range": "SELECT * FROM rollcall.events WHERE id > @low AND id <= @high ORDER BY id LIMIT 10",
		"an update by ids": "UPDATE rollcall.events e SET status = v.status FROM unnest(cast(@ids AS bigint[]), " +
			"cast(@status AS text[])) AS v (id, status) WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.id = v.id",
		"states": "SELECT id FROM rollcall.events WHERE id = ANY (cast(@ids AS bigint[]))",
		"bad":    "SELECT id FROM rollcall.events WHERE id > @low AND id <= @high AND status IN ('failed', 'error') LIMIT 1",
	} {
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			plan := explain(t, db, mode, text, ledger.Args{
				"low": low, "high": high, "ids": []int64{low + 1, low + 2}, "status": []string{"finish", "finish"},
			})
			if !strings.Contains(plan, "events_b5") || touched(plan) != 1 {
				t.Errorf("%s, %s: partitions executed: %d\n%s", name, mode, touched(plan), plan)
			}
		}
	}
}

// explain runs a statement and returns its plan.
func explain(t *testing.T, db *ledger.DB, mode, text string, args ledger.Args) string {
	t.Helper()
	var plan string
	err := db.InTx(t.Context(), func(tx ledger.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL plan_cache_mode = "+mode, nil); err != nil {
			return err
		}
		return tx.Query(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+text, args,
			func(scan ledger.Scan) error { return scan(&plan) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// touched counts the partitions that a plan has read.
func touched(plan string) int {
	var root any
	if json.Unmarshal([]byte(plan), &root) != nil {
		return -1
	}
	seen := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			name, _ := v["Relation Name"].(string)
			loops, _ := v["Actual Loops"].(float64)
			if kind, _ := v["Node Type"].(string); name != "" && loops > 0 && kind != "ModifyTable" {
				seen[name] = true
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(root)
	return len(seen)
}

// TestPurgedEventsAreDeletedInChunks: SQLite has no partitions.
func TestPurgedEventsAreDeletedInChunks(t *testing.T) {
	t.Parallel()
	db, err := ledger.Open(t.Context(), ledgers.SQLite(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	es := events.New(db, events.Options{})
	rows := make([]events.Draft, 4500)
	for i := range rows {
		rows[i] = good(i + 2)
	}
	old, kept := split(t, db, true, rows...), split(t, db, true, good(2))
	if n, err := es.Partitions().Drop(t.Context()); err != nil || n != 0 {
		t.Errorf("Discard = %d, %v, want nothing", n, err)
	}
	run(t, db, fmt.Sprintf("UPDATE rollcall.tasks SET purged_at = 1 WHERE num = %d", old.Num))
	if n, err := es.Partitions().Drop(t.Context()); err != nil || n != 4500 {
		t.Errorf("Discard = %d, %v, want 4500", n, err)
	}
	if list, err := es.List(t.Context(), kept.Num, events.Filter{}); err != nil || len(list) != 1 {
		t.Errorf("the task that is kept has %d events, %v", len(list), err)
	}
	if made, err := es.Partitions().Prepare(t.Context(), time.Hour); made != 0 || err != nil {
		t.Errorf("Prepare = %d, %v", made, err)
	}
}
