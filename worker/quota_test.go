package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// refused checks that an error is that of an exhausted quota.
func (s *shop) refused(err error, what string) {
	s.Helper()
	var q *tasks.QuotaError
	if !errors.As(err, &q) || q.What != what {
		s.Errorf("the error is %v, want that of the quota of %s", err, what)
	}
}

// TestQuota_OfATenant_BindsGoPrograms adds jobs at the same time, in transactions and row by row.
func TestQuota_OfATenant_BindsGoPrograms(t *testing.T) {
	onEach(t, func(s *shop) {
		ctx := s.Context()
		if err := s.Tasks.SetLimits(ctx, "acme", tasks.Limits{Tasks: 5, Rows: 8, Priority: 3}); err != nil {
			t.Fatal(err)
		}
		own := worker.Tenant("acme")
		var added, over atomic.Int64
		var all sync.WaitGroup
		for i := range 9 {
			all.Go(func() {
				_, err := s.sell.Enqueue(ctx, s.client, anvil(fmt.Sprint("a", i)), own)
				var q *tasks.QuotaError
				switch {
				case err == nil:
					added.Add(1)
				case errors.As(err, &q) && q.What == "tasks":
					over.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if added.Load() != 5 || over.Load() != 4 {
			t.Errorf("%d jobs were added, and %d refused; want 5 and 4", added.Load(), over.Load())
		}
		err := s.DB.InTx(ctx, func(tx ledger.Tx) error {
			_, err := s.sell.EnqueueTx(ctx, s.client, tx, anvil("x"), own)
			return err
		})
		s.refused(err, "tasks")
		_, err = s.sell.Task(ctx, s.client, "many", products(2, nil), own)
		s.refused(err, "tasks")

		if err := s.Tasks.SetLimits(ctx, "acme", tasks.Limits{Tasks: 9, Rows: 8, Priority: 3}); err != nil {
			t.Fatal(err)
		}
		_, err = s.sell.Task(ctx, s.client, "many", products(4, nil), own)
		s.refused(err, "rows")
		_, err = s.sell.Enqueue(ctx, s.client, anvil("y"), own, worker.Priority(4))
		if p := (*tasks.PriorityError)(nil); !errors.As(err, &p) {
			t.Errorf("a priority above the highest: %v", err)
		}
		if _, err := s.sell.Enqueue(ctx, s.client, anvil("z"), worker.Tenant("globex")); err != nil {
			t.Errorf("another tenant: %v", err)
		}
	})
}

// TestEnqueueTx_TransactionsHoldThePool_NeedsNoOtherConnection: the limits of the tenant are read
// in the transaction.
func TestEnqueueTx_TransactionsHoldThePool_NeedsNoOtherConnection(t *testing.T) {
	onEach(t, func(s *shop) {
		if s.DB.Pool == nil {
			return
		}
		err := s.DB.InTx(s.Context(), func(tx ledger.Tx) error { // makes the partition
			_, err := s.plain.EnqueueTx(s.Context(), s.client, tx, map[string]any{}, worker.Tenant("globex"))
			return err
		})
		s.fine(err)
		ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
		defer cancel()
		var tx pgx.Tx
		for range s.DB.Pool.Config().MaxConns {
			tx, err = s.DB.Pool.Begin(ctx)
			s.fine(err)
			defer func(tx pgx.Tx) { _ = tx.Rollback(s.Context()) }(tx)
		}
		_, err = s.plain.EnqueueTx(ctx, s.client, tx, map[string]any{}, worker.Tenant("acme"))
		s.fine(err)
	})
}
