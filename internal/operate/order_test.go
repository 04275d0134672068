package operate

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestActs_OrderWithoutKeys_IsRefused: an order without keys, such as an empty one, never means all
// keys.
func TestActs_OrderWithoutKeys_IsRefused(t *testing.T) {
	t.Parallel()
	d := &Operator{now: time.Now}
	requeue := func(d *Operator, ctx context.Context, o Order) (Result, error) {
		out, err := d.Requeue(ctx, o)
		return out.Result, err
	}
	for name, act := range map[string]func(*Operator, context.Context, Order) (Result, error){
		"perform now": (*Operator).PerformNow, "kill failed": (*Operator).KillFailed, "delete failed": (*Operator).DeleteFailed,
		"kill": (*Operator).Kill, "delete": (*Operator).Delete, "discard": (*Operator).Discard, "requeue": requeue,
	} {
		for _, o := range []Order{{}, {Keys: []string{}}, {Keys: []string{"A"}, All: true}} {
			if _, err := act(d, t.Context(), o); !errors.Is(err, ErrOrder) {
				t.Errorf("%s of %+v = %v, want ErrOrder", name, o, err)
			}
		}
	}
	for name, act := range map[string]func(*Operator, context.Context, Order) (Result, error){"kill": (*Operator).Kill, "delete": (*Operator).Delete} {
		if _, err := act(d, t.Context(), Order{All: true}); !errors.Is(err, ErrOrder) {
			t.Errorf("%s of all = %v, want ErrOrder", name, err)
		}
	}
}
