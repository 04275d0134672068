package middleware_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// shop makes the handler's own table, and counts its rows.
func (r *rig) shop() {
	r.t.Helper()
	if err := r.DB.Write.Exec("CREATE TABLE sales (job text NOT NULL)").Error; err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) sales() (n int64) {
	r.t.Helper()
	if err := r.DB.Read.Raw("SELECT count(*) FROM sales").Scan(&n).Error; err != nil {
		r.t.Fatal(err)
	}
	return n
}

func sell(tx *gorm.DB, job *worker.Job[none]) error {
	return tx.Exec("INSERT INTO sales (job) VALUES (?)", job.ID).Error
}

// TestAJobEndsInItsOwnTransaction after one that is rolled back: neither the
// sale nor the end of that is there.
func TestAJobEndsInItsOwnTransaction(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "b")
		boom := errors.New("boom")
		n := r.start(worker.Define("k", func(ctx context.Context, job *worker.Job[none]) error {
			if err := job.Result("sold"); err != nil {
				return err
			}
			err := r.DB.Write.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
				if err := errors.Join(sell(tx, job), job.FinishTx(ctx, tx)); err != nil {
					return err
				}
				if job.Key == "a" && job.Attempt == 1 {
					return boom
				}
				return nil
			})
			if err == nil && job.Key == "b" {
				return errors.New("too late to fail")
			}
			return err
		}, worker.RetryIn(func(int) time.Duration { return 0 })))

		now := r.await(task)
		if now.Finish != 2 || r.sales() != 2 {
			r.t.Errorf("finish %d, sales %d; want 2 each", now.Finish, r.sales())
		}
		e := r.event(task, 1)
		if e.Attempt != 2 || e.Result == nil || *e.Result != `"sold"` || len(e.Notes()) != 1 {
			r.t.Errorf("event = %+v, notes %+v", e, e.Notes())
		}
		if e := r.event(task, 2); e.Attempt != 1 || e.Notes() != nil {
			r.t.Errorf("event = %+v, notes %+v", e, e.Notes())
		}
		eventually(r.t, func() bool {
			st, err := n.Queue.Stats(r.t.Context(), "k")
			return err == nil && st.Length+st.Busy+st.MorgueLength == 0
		})
	})
}

// TestOnlyOneRunSells lets two runs of a job end it, each in its transaction.
func TestOnlyOneRunSells(t *testing.T) {
	on(t, func(r *rig) {
		ctx, task := r.t.Context(), r.task("k", "a")
		id := events.NewID(task.Num, 1)
		end := func(tx any) error {
			return r.Events.FinishIn(ctx, tx, events.Move{ID: id, Attempt: 1, FinishedAt: 1, StartedAt: 1})
		}
		if err := r.DB.InTx(ctx, func(tx ledger.Tx) error { return end(tx) }); err != nil {
			r.t.Fatal(err)
		}
		pool, err := r.DB.Write.DB()
		if err != nil {
			r.t.Fatal(err)
		}
		tx, err := pool.BeginTx(ctx, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		if err := errors.Join(end(tx), tx.Rollback()); !errors.Is(err, worker.ErrStale) {
			r.t.Errorf("the second end: %v, want ErrStale", err)
		}
		if r.DB.Pool != nil {
			err := pgx.BeginFunc(ctx, r.DB.Pool, func(tx pgx.Tx) error { return end(tx) })
			if !errors.Is(err, worker.ErrStale) {
				r.t.Errorf("the third end: %v, want ErrStale", err)
			}
		}
		for _, tx := range []any{nil, r.DB.Write, 7} {
			if err := end(tx); !errors.Is(err, ledger.ErrNotJoinable) {
				r.t.Errorf("in a %T: %v, want ErrNotJoinable", tx, err)
			}
		}
		if now := r.await(task); now.Finish != 1 {
			r.t.Errorf("finish %d, want 1", now.Finish)
		}
	})
}
