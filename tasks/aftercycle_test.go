package tasks_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestTaskAfterOthers_TwoMakeACycle_OneIsRefused: each of two tasks is a child of the task that the
// other one starts after. Each of them alone could be added.
func TestTaskAfterOthers_TwoMakeACycle_OneIsRefused(t *testing.T) {
	on(t, func(d *desk) {
		for range 5 {
			one, two := d.open(nil), d.open(nil)
			pair := []*tasks.Task{following(one, two), following(two, one)}
			errs := make([]error, len(pair))
			var wg sync.WaitGroup
			for i := range pair {
				wg.Go(func() { errs[i] = d.tasks.Create(d.Context(), pair[i], time.Hour) })
			}
			wg.Wait()
			refused := 0
			for _, err := range errs {
				if errors.Is(err, tasks.ErrAfterCycle) {
					refused++
				} else if err != nil {
					d.Error(err)
				}
			}
			if refused != 1 {
				d.Errorf("%d of two tasks that make a cycle are refused: %v", refused, errs)
			}
		}
	})
}

// TestTaskAfterOthers_WaitsToBeTied_LocksNoTask: a transaction that waits in lock_after.sql for
// another one has not locked the parent yet. Otherwise the two could deadlock.
func TestTaskAfterOthers_WaitsToBeTied_LocksNoTask(t *testing.T) {
	on(t, func(d *desk) {
		if d.db.Pool == nil { // SQLite has one writer
			return
		}
		parent, other := d.open(nil), d.open(nil)
		created := make(chan error, 1)
		d.fine(d.db.InTx(d.Context(), func(tx ledger.Tx) error {
			if _, err := tx.Exec(d.Context(), tasks.LockAfterSQL, nil); err != nil {
				return err
			}
			go func() {
				created <- d.tasks.Create(context.WithoutCancel(d.Context()), following(parent, other), time.Hour)
			}()
			fixture.Eventually(d, "the other transaction waits", d.oneWaits)
			var num int64
			_, err := ledger.Row(d.Context(), tx, "SELECT num FROM rollcall.tasks WHERE num = @num FOR UPDATE NOWAIT",
				ledger.Args{"num": parent.Num}, &num)
			return err
		}))
		d.fine(<-created)
	})
}

// oneWaits reports whether a transaction waits for a lock.
func (d *desk) oneWaits() bool {
	var n int64
	_, err := ledger.Row(d.Context(), d.db.Reader(), `SELECT count(*) FROM pg_locks l
		JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.datname = current_database()`, nil, &n)
	d.fine(err)
	return n > 0
}
