package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestResumeAnyway_ResubmittedRow_KeepsTheChoiceOfItsResubmission finishes a newer row of a later
// task.
func TestResumeAnyway_ResubmittedRow_KeepsTheChoiceOfItsResubmission(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		for _, anyway := range []bool{true, false} {
			older, newer := split(t, db, true, keyed("x")...), split(t, db, true, keyed("x")...)
			id := events.NewID(older.Num, 1)
			record(t, db, events.Move{
				ID: id, From: events.Enqueue, To: events.Failed, Attempt: 1, Failure: &events.Failure{Code: "X"},
			})
			made, err := decisions.New(events.New(db, events.Options{})).Decide(t.Context(), decisions.Review{
				Num: older.Num, By: "ann", Anyway: anyway,
				Rows: []decisions.Decision{{ID: id, Version: 2, Resolution: events.Resubmitted}},
			})
			if err != nil || !made[0] {
				t.Fatal(made, err)
			}
			fine(t, db.Write.Exec("UPDATE rollcall.tasks SET late = 2 WHERE num = ?", older.Num).Error)
			finishRows(t, db, newer.Num, 1)
			if got := newerOf(t, db, id); (got == 0) != anyway {
				t.Errorf("anyway %v: newer row %d", anyway, got)
			}
		}
	})
}

// TestResumeAnyway_RowsWithVersions_RowsOfOtherTasksDoNotCount: rows of the task itself do, and so do rows that
// finished after the resume. Every row counts after a plain resume or for a resubmitted row.
func TestResumeAnyway_RowsWithVersions_RowsOfOtherTasksDoNotCount(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		versions := func(drafts []events.Draft, list ...int64) []events.Draft {
			for i := range drafts {
				drafts[i].Score = &list[i]
			}
			return drafts
		}
		before := split(t, db, true, versions(keyed("x"), 9)...)
		task := split(t, db, true, versions(keyed("x", "y", "z", "z"), 3, 3, 4, 3)...)
		behind := split(t, db, true, versions(keyed("y", "z"), 9, 9)...)
		finishRows(t, db, before.Num, 1)
		finishRows(t, db, behind.Num, 1, 2)
		finishRows(t, db, task.Num, 3)
		fine(t, db.Write.Exec("UPDATE rollcall.events SET finished_at = 5 WHERE status = 'finish'").Error)
		for late, want := range map[int]map[int64]events.ID{
			1: {1: events.NewID(before.Num, 1), 2: events.NewID(behind.Num, 1), 4: events.NewID(behind.Num, 2)},
			2: {1: 0, 2: 0, 4: events.NewID(task.Num, 3)},
		} {
			fine(t, db.Write.Exec("UPDATE rollcall.tasks SET late = ?, late_at = 5 WHERE num = ?", late, task.Num).Error)
			for seq, id := range want {
				if got := newerOf(t, db, events.NewID(task.Num, seq)); got != id {
					t.Errorf("late %d: row %d has the newer row %d, want %d", late, seq, got, id)
				}
			}
		}
		fine(t, db.Write.Exec("UPDATE rollcall.events SET finished_at = 6 WHERE id = ?", events.NewID(behind.Num, 1)).Error)
		if got := newerOf(t, db, events.NewID(task.Num, 2)); got != events.NewID(behind.Num, 1) {
			t.Errorf("after a greater version that finished after the resume: newer row %d", got)
		}
		fine(t, db.Write.Exec("UPDATE rollcall.events SET resolution = 'resubmitted' WHERE id = ?", events.NewID(task.Num, 1)).Error)
		if got := newerOf(t, db, events.NewID(task.Num, 1)); got != events.NewID(before.Num, 1) {
			t.Errorf("the resubmitted row has the newer row %d", got)
		}
	})
}
