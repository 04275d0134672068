package events_test

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestOneOfManyGetsAKey: people give their rows the same key at once, where each may
// stand once only.
func TestOneOfManyGetsAKey(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		task := split(t, db, true, wrong(2), wrong(3), wrong(4), wrong(5))
		var got atomic.Int64
		var wg sync.WaitGroup
		for seq := range int64(4) {
			e, err := es.Get(t.Context(), events.NewID(task.Num, seq+1))
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				made, err := es.Decide(t.Context(), events.Review{Num: task.Num, By: "ann", Rows: []events.Decision{{
					ID: e.ID, Version: e.Version, Resolution: events.Resubmitted,
					Alone: true, Edit: &events.Edit{Params: json.RawMessage("{}"), Key: "same"},
				}}})
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
	})
}
