//go:build all

package ledger_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestInTx_ProcessFrozenInATransaction_ReleasesItsLocks writes a row and then sends nothing more,
// like a process that is stopped or whose machine is lost. Another process can change the row, and
// the frozen one gets an error for its transaction.
func TestInTx_ProcessFrozenInATransaction_ReleasesItsLocks(t *testing.T) {
	t.Parallel()
	url := ledgers.Postgres(t)
	frozen, other := newServer(t, url), newServer(t, url)
	frozen.do("create table stalled (n bigint)", "insert into stalled values (0)")
	const add = "update stalled set n = n + 1"
	thawed, ended := make(chan struct{}), make(chan error)
	locked := make(chan struct{}, 9) // the transaction may run again
	go func() {
		ended <- frozen.db.View(t.Context(), func(tx ledger.Tx) error {
			_, err := tx.Exec(t.Context(), add, nil)
			locked <- struct{}{}
			<-thawed
			return err
		})
	}()
	<-locked
	begun := time.Now()
	if err := other.run(add); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("the other process waited for %v", took)
	}
	close(thawed)
	frozen.requireTransient(<-ended, "25P03")
	var n int
	if err := other.db.Read.Raw("select n from stalled").Scan(&n).Error; err != nil || n != 1 {
		t.Errorf("%d, %v; want the other's write alone", n, err)
	}
}
