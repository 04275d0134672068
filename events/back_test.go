package events_test

import (
	"encoding/json"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestStates_ResubmittedRowHasRun_WaitsNoMore resubmits a row, and has it fail once before
// the feeder notes that it pushed the row.
func TestStates_ResubmittedRowHasRun_WaitsNoMore(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		task := split(t, db, true, wrong(2))
		id := events.NewID(task.Num, 1)
		if _, err := decisions.New(es).Decide(t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{{
			ID: id, Version: 1, Resolution: events.Resubmitted, Edit: &decisions.Edit{Params: json.RawMessage("{}")},
		}}}); err != nil {
			t.Fatal(err)
		}
		waits := func() bool {
			states, err := es.States(t.Context(), []events.ID{id})
			if err != nil {
				t.Fatal(err)
			}
			return states[id].Back
		}
		if !waits() {
			t.Error("a row that was resubmitted does not wait for the feeder")
		}
		record(t, db, events.Move{ID: id, Row: 2, From: events.Enqueue, To: events.Working, Attempt: 1})
		record(t, db, events.Move{
			ID: id, Row: 2, From: events.Working, FromAttempt: 1, To: events.Enqueue, Attempt: 1, NextRunAt: 1,
		})
		if waits() {
			t.Error("a row that has run waits for the feeder")
		}
	})
}
