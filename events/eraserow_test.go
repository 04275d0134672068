package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// eraseRow deletes the contents of a row.
func eraseRow(t *testing.T, es *events.Store, id events.ID) {
	t.Helper()
	if err := decisions.New(es).EraseRow(t.Context(), decisions.Erasure{ID: id, Tenant: "acme", JobID: "j", By: "ann"}); err != nil {
		t.Fatal(err)
	}
}

// TestEraseRow_RowFinished_OlderRowOfItsKeyStaysBehind: the row has taken effect, so no older row
// of its key may run after it.
func TestEraseRow_RowFinished_OlderRowOfItsKeyStaysBehind(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		a, b := split(t, db, true, keyed("x", "y")...), split(t, db, true, keyed("x")...)
		lane, old, by := events.Lane{Tenant: "acme", Kind: "k"}, events.NewID(a.Num, 1), events.NewID(b.Num, 1)
		finishRows(t, db, b.Num, 1)
		record(t, db, events.Move{ID: old, From: events.Enqueue, To: events.Failed, Attempt: 1, Failure: &events.Failure{Code: "NOT_SOLD"}})
		eraseRow(t, es, by)
		got, err := es.Newer(t.Context(), lane, map[events.ID]events.KeyVersion{old: {Key: "x"}, old + 1: {Key: "y"}})
		if err != nil || len(got) != 1 || got[old] != by {
			t.Errorf("Newer = %v, %v; want row %d", got, err, by)
		}
		made, err := decisions.New(es).Decide(t.Context(), decisions.Review{Num: a.Num, By: "ann", Rows: []decisions.Decision{
			{ID: old, Version: 2, Resolution: events.Resubmitted},
		}})
		if err != nil || !made[0] {
			t.Fatal(made, err)
		}
		states, err := es.States(t.Context(), []events.ID{old})
		if err != nil || states[old].Newer != by {
			t.Errorf("States = %+v, %v; want newer row %d", states, err, by)
		}
		o, err := es.Overtaken(t.Context(), a.Num)
		if err != nil || o != (events.Overtaken{Looked: 2, Superseded: 1}) {
			t.Errorf("Overtaken = %+v, %v", o, err)
		}
	})
}

// TestEraseRow_RowFinished_HoldsItsKey: an erased row that finished stays the holder of its key,
// also in a kind whose rows have no order and no hash.
func TestEraseRow_RowFinished_HoldsItsKey(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		task, lane := split(t, db, true, keyed("x", "y")...), events.Lane{Tenant: "acme", Kind: "k"}
		finishRows(t, db, task.Num, 1, 2)
		if _, err := db.Writer().Exec(t.Context(), "UPDATE rollcall.events SET key_hash = 0", nil); err != nil {
			t.Fatal(err)
		}
		id := events.NewID(task.Num, 1)
		eraseRow(t, es, id)
		for _, rule := range []decisions.KeyRule{decisions.OneRow, decisions.FirstRow, decisions.LatestRow} {
			got, err := decisions.New(es).Holders(t.Context(), task.Num, lane, rule, []string{"x"})
			if want := (decisions.Holder{ID: id, Row: 2, Key: "x"}); err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%s: Holders = %+v, %v", rule, got, err)
			}
		}
	})
}

// TestEraseRow_TaskIsCanceled_NoRowIsFixed: no decision is made about rows of such a task.
func TestEraseRow_TaskIsCanceled_NoRowIsFixed(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		for status, want := range map[string]events.Resolution{"finished": events.Fixed, "canceled": events.Open} {
			rows := keyed("x", "x")
			rows[1].Failure = &events.Failure{Code: events.CodeDuplicateKey}
			task := split(t, db, true, rows...)
			id := events.NewID(task.Num, 1)
			record(t, db, events.Move{ID: id, From: events.Enqueue, To: events.Failed, Attempt: 1, Failure: &events.Failure{Code: "NOT_SOLD"}})
			_, err := db.Writer().Exec(t.Context(), "UPDATE rollcall.tasks SET status = @status WHERE num = @num",
				ledger.Args{"num": task.Num, "status": status})
			if err == nil {
				err = decisions.New(es).EraseRow(t.Context(), decisions.Erasure{ID: id, Tenant: "acme", By: "ann", Keys: decisions.OneRow, Hashed: true})
			}
			e, getErr := es.Get(t.Context(), id+1)
			if err != nil || getErr != nil || e.State() != want {
				t.Errorf("%s: the other row is %+v, %v %v; want %s", status, e, err, getErr, want)
			}
		}
	})
}
