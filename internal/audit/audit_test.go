package audit_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// on runs a test on both databases.
func on(t *testing.T, test func(*testing.T, *ledger.DB, *audit.Log)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		fine(t, err)
		t.Cleanup(func() { _ = db.Close() })
		test(t, db, audit.New(db, func() time.Time { return time.UnixMilli(7) }))
	})
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLog_ActThatIsFinished_IsListedWithWhatItTouched(t *testing.T) {
	on(t, func(t *testing.T, _ *ledger.DB, log *audit.Log) {
		ops := audit.Operators("acme")
		e := audit.Entry{
			Subject: ops, Actor: "ann", Act: "reshard", Target: "q", Touched: audit.InProgress,
			Detail: audit.Detail{Request: json.RawMessage(`{"shards":2}`)},
		}
		var err error
		e.Num, err = log.Begin(t.Context(), e)
		fine(t, err)
		e.At = 7
		list(t, log, ops, e)
		fine(t, log.Finish(t.Context(), e.Num, 2, audit.Detail{}))
		e.Touched = 2
		list(t, log, ops, e)
		fine(t, log.Finish(t.Context(), e.Num, 0, audit.Detail{Note: "no"}))
		e.Touched, e.Detail = 0, audit.Detail{Note: "no"}
		list(t, log, ops, e)
		list(t, log, audit.Operators("globex"))
	})
}

// list compares the log of a subject with `want`. It ignores the numbers of entries if those of
// `want` are 0.
func list(t *testing.T, log *audit.Log, subject string, want ...audit.Entry) {
	t.Helper()
	got, err := log.List(t.Context(), subject, 0, 10)
	fine(t, err)
	for i := range min(len(got), len(want)) {
		if want[i].Num == 0 {
			got[i].Num = 0
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log of %s:\n%s", subject, diff)
	}
}

func TestLog_ManyEntries_AreListedNewestFirstByPage(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB, log *audit.Log) {
		text := "4"
		entries := []audit.Entry{
			{Subject: audit.Task(1), At: 1, Actor: "ann", Act: "pause"},
			{
				Subject: audit.Task(1), At: 2, Actor: "ben", Act: "patch", Seq: 3, Touched: 1, Detail: audit.Detail{
					Before: map[string]*string{"Price": nil}, After: map[string]*string{"Price": &text}, Code: "REQUIRED",
				},
			},
			{Subject: audit.Task(12), At: 3, Actor: "cid", Act: "skip", Touched: 9, Detail: audit.Detail{First: 2, Last: 11}},
		}
		fine(t, db.InTx(t.Context(), func(tx ledger.Tx) error { return audit.Write(t.Context(), tx, entries...) }))
		list(t, log, audit.Task(1), entries[1], entries[0])
		list(t, log, audit.Task(12), entries[2])
		page, err := log.List(t.Context(), audit.Task(1), 0, 1)
		fine(t, err)
		page, err = log.List(t.Context(), audit.Task(1), page[0].Num, 10)
		fine(t, err)
		if len(page) != 1 || page[0].Act != "pause" {
			t.Errorf("the second page has %v", page)
		}
	})
}
