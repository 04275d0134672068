package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestWitness_LedgerSetBack_RefusesEachTransaction sets a ledger back by one commit, and to a
// moment before the first. With another mark the witness starts again.
func TestWitness_LedgerSetBack_RefusesEachTransaction(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		w := ledger.NewWitness(db)
		commit := func() error {
			return w.InTx(t.Context(), func(tx ledger.Tx) error {
				_, err := tx.Exec(t.Context(), "UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'cancels'", nil)
				return err
			})
		}
		wants := func(err error, name string, n, made int64) {
			t.Helper()
			got, last := w.Last()
			var cancels int64
			db.Read.Raw("SELECT value FROM rollcall.ledger WHERE name = 'cancels'").Scan(&cancels)
			if err != nil || (got != "") != (name != "") || last != n || cancels != made {
				t.Errorf("%v, %q has counted %d of %d commits, want %d of %d", err, got, last, cancels, n, made)
			}
		}
		wants(commit(), "", 0, 1)
		w.Renew("one", false)
		wants(errors.Join(commit(), commit(), commit()), "one", 3, 4)
		for _, set := range []string{
			"UPDATE rollcall.ledger SET value = 2 WHERE name LIKE 'witness:%'", "DELETE FROM rollcall.ledger WHERE name LIKE 'witness:%'",
		} {
			if err := db.Write.Exec(set).Error; err != nil {
				t.Fatal(err)
			}
			if err := commit(); !errors.Is(err, ledger.ErrSetBack) || !w.SetBack("one") || w.SetBack("two") {
				t.Errorf("after %s: %v", set, err)
			}
			wants(nil, "one", 3, 4)
		}
		w.Renew("two", false)
		wants(commit(), "two", 1, 5)
	})
}

// TestNextEpoch_LedgerSetBack_ReturnsNoEpochTwice sets the epoch back to the first.
func TestNextEpoch_LedgerSetBack_ReturnsNoEpochTwice(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var last int64
		for range 50 {
			n, err := db.NextEpoch(t.Context())
			if err != nil || n <= last {
				t.Fatalf("epoch %d behind %d, %v", n, last, err)
			}
			last = n
		}
		if err := db.Write.Exec("UPDATE rollcall.ledger SET value = 0 WHERE name = 'epoch'").Error; err != nil {
			t.Fatal(err)
		}
		for db.Now().UnixMilli() <= last { // the last epoch may be ahead of the clock
			time.Sleep(time.Millisecond)
		}
		if n, err := db.NextEpoch(t.Context()); err != nil || n <= last {
			t.Errorf("epoch %d behind %d, %v", n, last, err)
		}
	})
}
