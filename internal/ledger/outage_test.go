//go:build all

package ledger_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestTransient_ServerStops_IsTransientUntilItIsBack stops a server during a transaction. Then new
// statements fail, until the server has started again.
func TestTransient_ServerStops_IsTransientUntilItIsBack(t *testing.T) {
	t.Parallel()
	postgres := testenv.StartPostgres(t)
	s := newServer(t, postgres.URL())
	for name, end := range map[string]func(){"stopped": postgres.Stop, "killed": postgres.Kill} {
		err := s.db.View(t.Context(), func(tx ledger.Tx) error {
			end()
			_, err := tx.Exec(t.Context(), "select 1", nil)
			return err
		})
		if !ledger.Transient(err) {
			t.Errorf("%s: a transaction that had begun: %v", name, err)
		}
		for _, err := range []error{s.run("select 1"), s.db.Ping(t.Context())} {
			if !ledger.Transient(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		postgres.Start()
		for err := s.db.Ping(t.Context()); err != nil; err = s.db.Ping(t.Context()) {
			if !ledger.Transient(err) {
				t.Fatalf("%s, and started again: %v", name, err)
			}
		}
	}
}
