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
