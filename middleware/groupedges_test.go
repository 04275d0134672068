package middleware_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestGroupTx_CommitThatTheDatabaseRefuses_IsAFaultOfTheJobAtFault breaks a deferred constraint,
// which shows at the commit only.
func TestGroupTx_CommitThatTheDatabaseRefuses_IsAFaultOfTheJobAtFault(t *testing.T) {
	on(t, func(r *rig) {
		for _, text := range []string{
			"CREATE TABLE shops (key text PRIMARY KEY)",
			"INSERT INTO shops VALUES ('a'), ('b')",
			"CREATE TABLE sales (key text REFERENCES shops (key) DEFERRABLE INITIALLY DEFERRED, job text)",
		} {
			if err := r.DB.Write.Exec(text).Error; err != nil {
				r.t.Fatal(err)
			}
		}
		task := r.task("k", "a", "nowhere", "b")
		r.start(worker.DefineTx("k", sell, worker.Shards(1), worker.MaxRetries(0)))
		now := r.await(task)
		if got := r.sales(); got != "a b" {
			r.t.Errorf("sales of %s, want a b", got)
		}
		if diff := cmp.Diff([]string{"finish 1", "error 1", "finish 1"}, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
		r.recounted(task)
	})
}

// TestGroupTx_HandlerThatEndsItsGoroutine_IsAFaultOfItsJobAlone checks that the other jobs of the
// group continue.
func TestGroupTx_HandlerThatEndsItsGoroutine_IsAFaultOfItsJobAlone(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "exits", "b")
		r.start(selling(func(_ context.Context, _ worker.Tx, job *worker.Job[none]) error {
			if job.Key == "exits" {
				runtime.Goexit()
			}
			return nil
		}, worker.MaxRetries(0)))
		now := r.await(task)
		if got := r.sales(); got != "a b" {
			r.t.Errorf("sales of %s, want a b", got)
		}
		if diff := cmp.Diff([]string{"finish 1", "error 1", "finish 1"}, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}

// TestGroupTx_StatementBehindTheReturn_IsRefused checks that a goroutine of an ended handler cannot
// write into another job's transaction.
func TestGroupTx_StatementBehindTheReturn_IsRefused(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task, kept := r.task("k", "a"), make(chan worker.Tx, 1)
		r.start(selling(func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if err := worker.Save(ctx, job, 1); !errors.Is(err, jobs.ErrInTx) {
				r.t.Errorf("Save = %v, want ErrInTx", err)
			}
			kept <- tx
			return nil
		}))
		r.await(task)
		_, err := (<-kept).Exec(r.t.Context(), "DELETE FROM sales", nil)
		if got := r.sales(); got != "a" || !errors.Is(err, jobs.ErrTxEnded) {
			r.t.Errorf("sales of %s, err %v; want ErrTxEnded", got, err)
		}
	})
}

// TestGroupTx_TaskIsCanceledWhileItsHandlerRuns_NothingIsWritten checks the effects of the running
// job.
func TestGroupTx_TaskIsCanceledWhileItsHandlerRuns_NothingIsWritten(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task, running := r.task("k", "a", "b"), make(chan struct{})
		var calls atomic.Int64
		r.start(worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if calls.Add(1) == 1 {
				close(running)
			}
			<-ctx.Done()
			return errors.Join(sell(context.WithoutCancel(ctx), tx, job), context.Cause(ctx))
		}, worker.Shards(1)))
		<-running
		r.cancel(task)
		if now := r.await(task); now.Canceled != 2 || r.sales() != "" {
			r.t.Errorf("%d rows are canceled, sales of %q", now.Canceled, r.sales())
		}
	})
}

// TestGroupTx_SecondStatementAtOnce_IsRefused checks that a transaction serves one goroutine at a
// time.
func TestGroupTx_SecondStatementAtOnce_IsRefused(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a")
		r.start(selling(func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			return tx.Query(ctx, "SELECT key FROM sales", nil, func(scan func(dest ...any) error) error {
				var key string
				if err := scan(&key); err != nil || key != "a" {
					r.t.Errorf("the job reads %q, %v", key, err)
				}
				err := sell(ctx, tx, job)
				if errors.Is(err, worker.ErrTxHeld) {
					return err // a slow machine: the job runs again
				}
				if err == nil || !strings.Contains(err.Error(), "another statement") {
					r.t.Errorf("a statement within another: %v", err)
				}
				return nil
			})
		}))
		r.await(task)
		if got := r.sales(); got != "a" {
			r.t.Errorf("sales of %s, want a", got)
		}
	})
}
