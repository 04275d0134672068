package events_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestAppend_FewerRowsThanTheHolderKnows_LosesTheClaim: a splitter that goes on while the
// ledger is set back leaves no rows out.
func TestAppend_FewerRowsThanTheHolderKnows_LosesTheClaim(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		ts, es := tasks.New(db, tasks.Options{}), events.New(db, events.Options{})
		task := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
			Source: tasks.Source{FileID: "f"},
		}
		if err := ts.Create(t.Context(), task, time.Hour); err != nil {
			t.Fatal(err)
		}
		_, claim, err := ts.Picker(tasks.Reading, []string{"k"}, 1).Next(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		chunk := events.Chunk{Num: task.Num, Claim: int64(claim), TTL: time.Minute, Rows: []events.Draft{good(2)}}
		for chunk.After = range int64(3) {
			if n, err := es.Append(t.Context(), chunk); err != nil || n != chunk.After+1 {
				t.Errorf("Append behind %d rows: %d, %v", chunk.After, n, err)
			}
		}
		chunk.After = 5
		if n, err := es.Append(t.Context(), chunk); !errors.Is(err, events.ErrClaimLost) {
			t.Errorf("Append behind 3 rows of 5: %d, %v", n, err)
		}
		if got, err := ts.Get(t.Context(), "acme", task.ID); err != nil || got.Total != 3 {
			t.Errorf("%d rows, %v", got.Total, err)
		}
	})
}

// TestFinishIn_LedgerSetBackSinceTheRunBegan_IsStale sets the ledger back unnoticed, and
// then has the store learn of it.
func TestFinishIn_LedgerSetBackSinceTheRunBegan_IsStale(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), good(3))
		es := events.New(db, events.Options{})
		es.Witness().Renew("one mark", false)
		if _, err := es.Record(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		finish := func(seq int64, since events.Point) error {
			return db.InTx(t.Context(), func(tx ledger.Tx) error {
				return es.FinishIn(t.Context(), tx, events.Move{
					ID: events.NewID(task.Num, seq), Attempt: 1, StartedAt: 1, FinishedAt: 2, Since: since,
				})
			})
		}
		since := es.Point()
		if err := finish(1, since); err != nil {
			t.Errorf("before: %v", err)
		}
		if err := db.Write.Exec("DELETE FROM ledger WHERE name LIKE 'witness:%'").Error; err != nil {
			t.Fatal(err)
		}
		if err := finish(2, since); !errors.Is(err, events.ErrStale) {
			t.Errorf("set back: %v", err)
		}
		es.Witness().Renew("another mark", false)
		if err := finish(2, since); !errors.Is(err, events.ErrStale) {
			t.Errorf("of the turn before: %v", err)
		}
		if _, err := es.RecordIn(t.Context(), since.Turn, nil); !errors.Is(err, events.ErrSetBack) {
			t.Errorf("Record of the turn before: %v", err)
		}
		if err := finish(2, es.Point()); err != nil {
			t.Errorf("of this turn: %v", err)
		}
	})
}
