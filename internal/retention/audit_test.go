package retention_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/retention"
)

func TestClean_OldAuditEntries_AreDeleted(t *testing.T) {
	each(t, func(e *env) {
		log := audit.New(e.DB, func() time.Time { return e.now })
		ops := audit.Operators("acme")
		list := make([]audit.Entry, 250)
		for i := range list {
			list[i] = audit.Entry{Subject: ops, At: e.now.Add(-2 * day).UnixMilli(), Actor: "ann", Act: "pause"}
		}
		list[249].At = e.now.Add(-time.Hour).UnixMilli()
		if err := e.DB.InTx(t.Context(), func(tx ledger.Tx) error { return audit.Write(t.Context(), tx, list...) }); err != nil {
			t.Fatal(err)
		}
		c := retention.New(e.Tasks, e.Events, e.Files, retention.Options{Audit: log, AuditKeep: day})
		if err := c.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := log.List(t.Context(), ops, 0, 300)
		if err != nil || len(left) != 1 {
			t.Errorf("%d entries are left, %v, want 1", len(left), err)
		}
	})
}
