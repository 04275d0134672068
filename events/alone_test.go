package events_test

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestDecide_ManyWantOneKey_OneGetsIt: several users give their rows the same key at once, and keys
// of the kind must be unique. The edited rows would run, or would stay invalid for another reason.
func TestDecide_ManyWantOneKey_OneGetsIt(t *testing.T) {
	for name, decision := range map[string]decisions.Decision{
		"runs": {
			Resolution: events.Resubmitted, Alone: true,
			Edit: &decisions.Edit{Params: json.RawMessage("{}"), Key: "same"},
		},
		"stays wrong": {
			Resolution: events.Open, Alone: true,
			Edit: &decisions.Edit{Params: json.RawMessage("{}"), Key: "same", Fault: &events.Failure{Code: "REQUIRED"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, func(t *testing.T, db *ledger.DB) { contend(t, db, decision) })
		})
	}
}

func contend(t *testing.T, db *ledger.DB, want decisions.Decision) {
	es := events.New(db, events.Options{})
	task := split(t, db, true, wrong(2), wrong(3), wrong(4), wrong(5))
	var got atomic.Int64
	var wg sync.WaitGroup
	for seq := range int64(4) {
		e, err := es.Get(t.Context(), events.NewID(task.Num, seq+1))
		if err != nil {
			t.Fatal(err)
		}
		d := want
		d.ID, d.Version = e.ID, e.Version
		wg.Go(func() {
			made, err := decisions.New(es).Decide(t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{d}})
			if err != nil {
				t.Error(err)
			} else if made[0] {
				got.Add(1)
			}
		})
	}
	wg.Wait()
	if got.Load() != 1 {
		t.Errorf("%d rows have got the key", got.Load())
	}
}

// TestDecide_SwappedKeys_AreBothMade: each row leaves the key that the other wants. A row keeps its
// key if its decision names another version, so the decision about the other row is refused, too.
func TestDecide_SwappedKeys_AreBothMade(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		first, second := wrong(2), wrong(3)
		first.Key, second.Key = "a", "b"
		task := split(t, db, true, first, second)
		swap := func(late int) []decisions.Decision {
			return []decisions.Decision{
				{
					ID: events.NewID(task.Num, 1), Version: 1, Resolution: events.Fixed, Alone: true,
					Edit: &decisions.Edit{Params: json.RawMessage("{}"), Key: "b"},
				},
				{
					ID: events.NewID(task.Num, 2), Version: 1 + late, Resolution: events.Fixed, Alone: true,
					Edit: &decisions.Edit{Params: json.RawMessage("{}"), Key: "a"},
				},
			}
		}
		made, err := decisions.New(es).Decide(t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: swap(1)})
		if err != nil || made[0] || made[1] {
			t.Errorf("one is late: %v, %v", made, err)
		}
		made, err = decisions.New(es).Decide(t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: swap(0)})
		if err != nil || !made[0] || !made[1] {
			t.Errorf("a swap: %v, %v", made, err)
		}
	})
}
