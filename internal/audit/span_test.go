package audit_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// written adds n entries of a subject at the times 1 to n.
func written(t *testing.T, db *ledger.DB, subject string, n int) {
	t.Helper()
	list := make([]audit.Entry, n)
	for i := range list {
		list[i] = audit.Entry{Subject: subject, At: int64(i + 1), Actor: "ann", Act: "pause"}
	}
	fine(t, db.InTx(t.Context(), func(tx ledger.Tx) error { return audit.Write(t.Context(), tx, list...) }))
}

func TestSpan_SeveralPages_YieldsEachEntryOnce(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB, log *audit.Log) {
		const n = 1203
		written(t, db, audit.Operators("acme"), n)
		written(t, db, audit.Operators("globex"), 3)
		next := int64(10)
		for e, err := range log.Span(t.Context(), audit.Operators("acme"), 10, n) {
			fine(t, err)
			if e.At != next {
				t.Fatalf("the entry of %d came, want that of %d", e.At, next)
			}
			next++
		}
		if next != n {
			t.Errorf("it ended before %d", next)
		}
	})
}

func TestExpire_OldEntries_AreDeletedByChunks(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB, _ *audit.Log) {
		log := audit.New(db, func() time.Time { return time.UnixMilli(100) })
		written(t, db, audit.Operators("acme"), 20)
		written(t, db, audit.Key("key_1"), 20)
		written(t, db, audit.Task(1), 20)
		for _, want := range []int64{15, 3, 0} { // number of deleted entries, all with times before 10
			n, err := log.Expire(t.Context(), 90*time.Millisecond, 15)
			fine(t, err)
			if n != want {
				t.Errorf("%d were deleted, want %d", n, want)
			}
		}
		for subject, want := range map[string]int{audit.Operators("acme"): 11, audit.Key("key_1"): 11, audit.Task(1): 20} {
			left, err := log.List(t.Context(), subject, 0, 100)
			fine(t, err)
			if len(left) != want {
				t.Errorf("%s has %d entries, want %d", subject, len(left), want)
			}
		}
	})
}
