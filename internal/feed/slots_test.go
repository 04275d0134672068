package feed_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestSlots_ProgramHoldsTheQuotas_OtherTenantsAreFed has a Go program add jobs within the quotas of
// a tenant, in a transaction that may take any time.
func TestSlots_ProgramHoldsTheQuotas_OtherTenantsAreFed(t *testing.T) {
	onBoth(t, func(f *farm) {
		if f.DB.Pool == nil {
			return // SQLite has one writer
		}
		ctx, cancel := context.WithTimeout(f.t.Context(), 30*time.Second)
		defer cancel()
		f.fine(f.Tasks.SetLimits(ctx, "acme", tasks.Limits{Slots: 10}))
		f.task(3)
		f.AddOf(f.t, "globex", "k", drafts([]string{"a", "b", "c"})...)
		f.fine(f.DB.InTx(ctx, func(tx ledger.Tx) error {
			if err := f.Tasks.LockQuotas(ctx, tx, "acme"); err != nil {
				return err
			}
			f.fine(f.feeder().Feed(ctx))
			st, err := f.Queue.Stats(ctx, "k")
			if err == nil && st.Length != 3 {
				f.t.Errorf("%d keys in Redis, want those of the other tenant", st.Length)
			}
			return err
		}))
		if n := f.feed(); n != 6 {
			f.t.Errorf("%d keys in Redis after the transaction, want 6", n)
		}
	})
}
