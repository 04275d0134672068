package events_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// TestPassed_NewerRowHasFinished_OnlyLostRowsAreNamed: rows that newer rows were allowed to
// pass are omitted.
func TestPassed_NewerRowHasFinished_OnlyLostRowsAreNamed(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		passed := func(a, b string, own bool) bool { // a and b change an older and a newer task
			older, newer := split(t, db, true, keyed("x", "x", "y")...), split(t, db, true, keyed("x")...)
			fine(t, db.Write.Exec("UPDATE rollcall.tasks SET "+a+" WHERE num = ?", older.Num).Error)
			fine(t, db.Write.Exec("UPDATE rollcall.tasks SET "+b+" WHERE num = ?", newer.Num).Error)
			first := events.NewID(older.Num, 1)
			if own {
				finishRows(t, db, older.Num, 2)
			} else {
				finishRows(t, db, newer.Num, 1)
			}
			got, err := pending.New(es).Passed(t.Context(), []events.ID{first, events.NewID(older.Num, 3)})
			fine(t, err)
			finishRows(t, db, older.Num, 1) // the next case has no rows of this one
			fine(t, db.Write.Exec("UPDATE rollcall.events SET key_hash = 0 WHERE id >> 32 IN (?, ?)", older.Num, newer.Num).Error)
			return slices.Equal(got, []events.ID{first})
		}
		const same = "late = late"
		for _, tt := range []struct {
			older, newer string
			own, want    bool
		}{
			{same, same, true, true},
			{same, same, false, true},
			{"priority = 5", same, false, true},
			{same, "priority = 5", false, false},
			{same, "priority = 5", true, true},
			{"type = 'batch'", same, false, false},
			{"type = 'batch'", same, true, true},
			{"run_at = 7", same, false, false},
			{"late = 2", same, false, false},
			{"late = 2", same, true, true},
		} {
			if got := passed(tt.older, tt.newer, tt.own); got != tt.want {
				t.Errorf("older task %s, newer task %s, a row of its own: %v: lost %v", tt.older, tt.newer, tt.own, got)
			}
		}
	})
}

// TestPassed_ManyRowsOfAKey_ReadsTheNext has many rows of one key wait behind a row.
func TestPassed_ManyRowsOfAKey_ReadsTheNext(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, keyed(slices.Repeat([]string{"x"}, manyRows)...)...)
		args := ledger.Args{"ids": []int64{int64(events.NewID(task.Num, 1))}}
		text, err := os.ReadFile("../internal/pending/sql/passed.sql")
		fine(t, err)
		passedSQL := string(text)
		if db.Pool == nil {
			plan := planOf(t, db, "EXPLAIN QUERY PLAN "+passedSQL, args)
			if !regexp.MustCompile(`INDEX events_key_idx \(key_hash=\?`).MatchString(plan) {
				t.Errorf("no index of keys is read:\n%s", plan)
			}
			return
		}
		_, err = db.Pool.Exec(t.Context(), "ANALYZE rollcall.events")
		fine(t, err)
		plan := planOf(t, db, "EXPLAIN (ANALYZE) "+passedSQL, args)
		if readsManyRows(plan) || !regexp.MustCompile(`Index Cond: .*key_hash = `).MatchString(plan) {
			t.Errorf("more than the next rows are read:\n%s", plan)
		}
	})
}

// readsManyRows reports whether a node of a plan returned more than half of manyRows.
func readsManyRows(plan string) bool {
	for _, found := range regexp.MustCompile(`rows=(\d+) loops`).FindAllStringSubmatch(plan, -1) {
		if n, _ := strconv.Atoi(found[1]); n > manyRows/2 {
			return true
		}
	}
	return false
}
