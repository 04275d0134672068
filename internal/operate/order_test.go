package operate

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestActs_OrderWithoutKeys_IsRefused: no act takes an order that was not filled in
// for one on all keys.
func TestActs_OrderWithoutKeys_IsRefused(t *testing.T) {
	t.Parallel()
	d := &Desk{now: time.Now}
	requeue := func(d *Desk, ctx context.Context, o Order) (Result, error) {
		out, err := d.Requeue(ctx, o)
		return out.Result, err
	}
	for name, act := range map[string]func(*Desk, context.Context, Order) (Result, error){
		"perform now": (*Desk).PerformNow, "kill failed": (*Desk).KillFailed, "delete failed": (*Desk).DeleteFailed,
		"kill": (*Desk).Kill, "delete": (*Desk).Delete, "discard": (*Desk).Discard, "requeue": requeue,
	} {
		for _, o := range []Order{{}, {Keys: []string{}}, {Keys: []string{"A"}, All: true}} {
			if _, err := act(d, t.Context(), o); !errors.Is(err, ErrOrder) {
				t.Errorf("%s of %+v = %v, want ErrOrder", name, o, err)
			}
		}
	}
	for name, act := range map[string]func(*Desk, context.Context, Order) (Result, error){"kill": (*Desk).Kill, "delete": (*Desk).Delete} {
		if _, err := act(d, t.Context(), Order{All: true}); !errors.Is(err, ErrOrder) {
			t.Errorf("%s of all = %v, want ErrOrder", name, err)
		}
	}
}
