package decisions

import (
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestKeptRows_LargeAct_ReadsOnlyItsRow: a client that changes the rows of an act one by one reads each of them once.
// Postgres makes the plan of the statement while the act is small, and keeps it.
func TestKeptRows_LargeAct_ReadsOnlyItsRow(t *testing.T) {
	t.Parallel()
	db, err := ledger.Open(t.Context(), ledgers.Postgres(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	undo, read := errors.New("rolled back"), 0
	err = db.InTx(t.Context(), func(tx ledger.Tx) error {
		if _, err := tx.Exec(t.Context(), "ALTER TABLE rollcall.review_rows DROP CONSTRAINT review_rows_act_fkey", nil); err != nil {
			return err
		}
		change := func(id int64) error {
			args := ledger.Args{"act": int64(1), "ids": []int64{id}, "first": id, "last": id}
			return tx.Query(t.Context(), keptRowsSQL, args, func(ledger.Scan) error { return nil })
		}
		add := func(from, to int) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO rollcall.review_rows (act, event_id, version, was)
				SELECT 1, i, 1, '{}' FROM generate_series(cast(@from AS int), cast(@to AS int)) i`, ledger.Args{"from": from, "to": to})
			return err
		}
		if err := add(1, 30); err != nil {
			return err
		}
		for id := range int64(10) {
			if err := change(100000 + id); err != nil {
				return err
			}
		}
		if err := add(31, 3000); err != nil {
			return err
		}
		if err := change(2000); err != nil {
			return err
		}
		_, err = ledger.Row(t.Context(), tx, "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = cast('rollcall.review_rows' AS regclass)", nil, &read)
		return errors.Join(err, undo)
	})
	if !errors.Is(err, undo) {
		t.Fatal(err)
	}
	if read < 1 || read > 5 {
		t.Errorf("%d rows of the act are read, want 1", read)
	}
}
