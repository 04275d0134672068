package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// skipRow skips one row of a task with an act.
func skipRow(t *testing.T, es *events.Store, id events.ID, actID string) {
	t.Helper()
	e, err := es.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	made, err := decisions.New(es).Decide(t.Context(), decisions.Review{
		Num: id.Num(), By: "ann", ActID: actID, Act: "skip",
		Rows: []decisions.Decision{{ID: id, Version: e.Version, Resolution: events.Skipped}},
	})
	if err != nil || !made[0] {
		t.Fatal(made, err)
	}
}

// TestLastActOn_OlderActReachesTheRowLater_IsReturned: the act that began first changes the
// row after the other act did.
func TestLastActOn_OlderActReachesTheRowLater_IsReturned(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task, es := split(t, db, true, wrong(2), wrong(3)), events.New(db, events.Options{})
		first, second := events.NewID(task.Num, 1), events.NewID(task.Num, 2)
		skipRow(t, es, first, "slow")
		skipRow(t, es, second, "quick")
		skipRow(t, es, second, "slow")
		e, err := es.Get(t.Context(), second)
		if err != nil {
			t.Fatal(err)
		}
		if act, err := decisions.New(es).LastActOn(t.Context(), e); err != nil || act == nil || act.ID != "slow" {
			t.Errorf("LastActOn = %+v, %v; want slow", act, err)
		}
	})
}

// TestBeginUndo_Twice_ReturnsTheFirstID begins two undos of one act, one after the other.
func TestBeginUndo_Twice_ReturnsTheFirstID(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task, es := split(t, db, true, wrong(2)), events.New(db, events.Options{})
		skipRow(t, es, events.NewID(task.Num, 1), "skip")
		act, err := decisions.New(es).Act(t.Context(), task.Num, "skip")
		if err != nil || act == nil {
			t.Fatal(act, err)
		}
		for _, id := range []string{"one", "two"} {
			if by, err := decisions.New(es).BeginUndo(t.Context(), act, id); err != nil || by != "one" {
				t.Errorf("BeginUndo = %q, %v; want one", by, err)
			}
		}
	})
}
