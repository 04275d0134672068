package events_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// redisMark sets the mark that Redis must carry.
func redisMark(t *testing.T, db *ledger.DB, mark string) {
	t.Helper()
	fine(t, db.Write.Exec("UPDATE rollcall.ledger SET note = ? WHERE name = 'redis'", mark).Error)
}

// newerOf returns the newer row that States finds for a row.
func newerOf(t *testing.T, db *ledger.DB, id events.ID) events.ID {
	t.Helper()
	states, err := events.New(db, events.Options{}).States(t.Context(), []events.ID{id})
	fine(t, err)
	return states[id].Newer
}

func noteStray(t *testing.T, db *ledger.DB, id events.ID, mark string, want bool) {
	t.Helper()
	noted, err := events.New(db, events.Options{}).NoteStray(t.Context(), id, mark)
	if err != nil || noted != want {
		t.Errorf("NoteStray of %d under %s = %v, %v; want %v", id, mark, noted, err, want)
	}
}

func TestNoteStray_NewerRowsFinished_AreFound(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		a, b := split(t, db, true, keyed("x", "x", "y", "z")...), split(t, db, true, keyed("y")...)
		redisMark(t, db, "m")
		finishRows(t, db, a.Num, 2)
		finishRows(t, db, b.Num, 1)
		for seq, want := range map[int64]events.ID{1: events.NewID(a.Num, 2), 3: events.NewID(b.Num, 1), 4: 0} {
			id := events.NewID(a.Num, seq)
			if got := newerOf(t, db, id); got != 0 {
				t.Errorf("row %d has the newer row %d before it was lost", seq, got)
			}
			noteStray(t, db, id, "m", true)
			noteStray(t, db, id, "m", true) // it was lost again
			if got := newerOf(t, db, id); got != want {
				t.Errorf("row %d has the newer row %d, want %d", seq, got, want)
			}
		}
		audit(t, db, a.Num)
	})
}

// TestNoteStray_RowIsNotLost_IsNotNoted: the row has ended, or Redis is another one by now.
func TestNoteStray_RowIsNotLost_IsNotNoted(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		a := split(t, db, true, keyed("x", "x", "y")...)
		redisMark(t, db, "m")
		finishRows(t, db, a.Num, 2, 3)
		noteStray(t, db, events.NewID(a.Num, 3), "m", false)
		noteStray(t, db, events.NewID(a.Num, 9), "m", false)
		noteStray(t, db, events.NewID(a.Num, 1), "m0", false)
		if got := newerOf(t, db, events.NewID(a.Num, 1)); got != 0 {
			t.Errorf("a row that was not noted has the newer row %d", got)
		}
	})
}

// TestNoteStray_TaskRunsAnyway_ItsOwnOrderHolds: rows of later tasks do not count, because a user
// decided so. Rows of its own task do.
func TestNoteStray_TaskRunsAnyway_ItsOwnOrderHolds(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		a, b := split(t, db, true, keyed("x", "x", "y")...), split(t, db, true, keyed("x", "y")...)
		redisMark(t, db, "m")
		fine(t, db.Write.Exec("UPDATE rollcall.tasks SET late = 2 WHERE num = ?", a.Num).Error)
		finishRows(t, db, b.Num, 1, 2)
		for _, seq := range []int64{1, 3} {
			noteStray(t, db, events.NewID(a.Num, seq), "m", true)
			if got := newerOf(t, db, events.NewID(a.Num, seq)); got != 0 {
				t.Errorf("row %d has the newer row %d of a later task", seq, got)
			}
		}
		finishRows(t, db, a.Num, 2)
		if got := newerOf(t, db, events.NewID(a.Num, 1)); got != events.NewID(a.Num, 2) {
			t.Errorf("row 1 has the newer row %d of its own task", got)
		}
	})
}

// TestNoteStray_RowResubmittedAnyway_RunsAnyway: the loss changes no decision of a user.
func TestNoteStray_RowResubmittedAnyway_RunsAnyway(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		for _, anyway := range []bool{true, false} {
			a := split(t, db, true, keyed("x", "x", "y")...)
			redisMark(t, db, "m")
			id := events.NewID(a.Num, 1)
			record(t, db, events.Move{ID: id, From: events.Enqueue, To: events.Failed, Attempt: 1, Failure: &events.Failure{Code: "X"}})
			finishRows(t, db, a.Num, 2)
			made, err := decisions.New(events.New(db, events.Options{})).Decide(t.Context(), decisions.Review{
				Num: a.Num, By: "ann", Anyway: anyway, Rows: []decisions.Decision{{ID: id, Version: 2, Resolution: events.Resubmitted}},
			})
			if err != nil || !made[0] {
				t.Fatal(made, err)
			}
			fine(t, db.Write.Exec("UPDATE rollcall.refeed SET waits = FALSE WHERE task_num = ?", a.Num).Error)
			noteStray(t, db, id, "m", true)
			if got := newerOf(t, db, id); (got == 0) != anyway {
				t.Errorf("anyway %v: newer row %d", anyway, got)
			}
		}
	})
}

// TestNoteStray_ManyRows_ReadsIndexes checks the plans of Postgres and SQLite, for the note and for
// the query of a newer row, which runs for noted rows only.
func TestNoteStray_ManyRows_ReadsIndexes(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		keys := make([]string, manyRows)
		for i := range keys {
			keys[i] = fmt.Sprint(i)
		}
		task := split(t, db, true, keyed(keys...)...)
		how, row, key := "EXPLAIN QUERY PLAN ", `SEARCH e USING INTEGER PRIMARY KEY \(rowid=\?\)`,
			`SEARCH n USING .*INDEX events_key_idx \(key_hash=\?`
		if db.Pool != nil {
			how, row, key = "EXPLAIN ", `Index Cond: \(id = `, `Index Cond: .*key_hash = `
			if _, err := db.Pool.Exec(t.Context(), "ANALYZE rollcall.events"); err != nil {
				t.Fatal(err)
			}
		}
		id := events.NewID(task.Num, 7)
		note := planOf(t, db, how+events.StraySQL, ledger.Args{"num": id.Num(), "seq": id.Seq(), "id": int64(id)})
		ask := planOf(t, db, how+strings.Replace(events.StatesSQL, "@ids", fmt.Sprintf("(%d)", id), 1), nil)
		for _, one := range []struct{ plan, index string }{{note, row}, {ask, row}, {ask, key}} {
			if !regexp.MustCompile(one.index).MatchString(one.plan) {
				t.Errorf("%s is not read:\n%s", one.index, one.plan)
			}
		}
	})
}
