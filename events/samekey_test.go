package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestSameKey_RowsOfALane_AreFoundOverTasks finds the rows of a key before and behind a row, of its
// tenant and kind only.
func TestSameKey_RowsOfALane_AreFoundOverTasks(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		a, b := split(t, db, true, keyed("x", "y", "x", "")...), split(t, db, true, keyed("y", "x")...)
		lane := events.Lane{Tenant: "acme", Kind: "k"}
		seen := func(list []events.KeyRow, err error) (out []events.ID) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range list {
				if r.TaskID == "" || r.Row != int(r.ID.Seq())+1 || r.Status != events.Enqueue {
					t.Errorf("a row of the key: %+v", r)
				}
				out = append(out, r.ID)
			}
			return out
		}
		id := func(num, seq int64) events.ID { return events.NewID(num, seq) }
		same(t, []events.ID{id(b.Num, 2), id(a.Num, 3), id(a.Num, 1)}, seen(es.KeyBefore(t.Context(), lane, "x", events.Newest, 10)))
		same(t, []events.ID{id(a.Num, 1)}, seen(es.KeyBefore(t.Context(), lane, "x", id(a.Num, 3), 10)))
		same(t, []events.ID{id(a.Num, 3)}, seen(es.KeyBehind(t.Context(), lane, "x", id(a.Num, 1), 1)))
		same(t, nil, seen(es.KeyBefore(t.Context(), lane, "", events.Newest, 10)))
		same(t, nil, seen(es.KeyBefore(t.Context(), events.Lane{Tenant: "other", Kind: "k"}, "x", events.Newest, 10)))
	})
}

func same(t *testing.T, want, got []events.ID) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("the rows are %v, want %v", got, want)
		return
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("the rows are %v, want %v", got, want)
		}
	}
}
