package dispatch_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

func TestKeeper_OldAuditEntries_AreDeleted(t *testing.T) {
	on(t, func(f *farm) {
		log := audit.New(f.DB, func() time.Time { return f.now })
		ops := audit.Operators("acme")
		list := make([]audit.Entry, 250)
		for i := range list {
			list[i] = audit.Entry{Subject: ops, At: f.now.Add(-2 * day).UnixMilli(), Actor: "ann", Act: "pause"}
		}
		list[249].At = f.now.Add(-time.Hour).UnixMilli()
		if err := f.DB.InTx(t.Context(), func(tx ledger.Tx) error { return audit.Write(t.Context(), tx, list...) }); err != nil {
			t.Fatal(err)
		}
		k := dispatch.NewKeeper(f.Tasks, f.Events, f.Files, dispatch.KeeperOptions{Audit: log, AuditKeep: day})
		if err := k.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := log.List(t.Context(), ops, 0, 300)
		if err != nil || len(left) != 1 {
			t.Errorf("%d entries are left, %v, want 1", len(left), err)
		}
	})
}
