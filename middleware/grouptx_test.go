package middleware_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// shop makes the table that handlers write to.
func (r *rig) shop() {
	r.t.Helper()
	if err := r.DB.Write.Exec("CREATE TABLE sales (key text NOT NULL, job text NOT NULL, n integer)").Error; err != nil {
		r.t.Fatal(err)
	}
}

// sales lists the keys of all sales, sorted.
func (r *rig) sales() string {
	r.t.Helper()
	var out []string
	if err := r.DB.Read.Raw("SELECT key FROM sales ORDER BY key, job").Scan(&out).Error; err != nil {
		r.t.Fatal(err)
	}
	return strings.Join(out, " ")
}

const sellSQL = "INSERT INTO sales (key, job) VALUES (@key, @job)"

func sell(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
	_, err := tx.Exec(ctx, sellSQL, worker.Args{"key": job.Key, "job": job.ID})
	return err
}

// selling returns a kind whose handler inserts a sale and then calls f. The kind has one shard and
// retries its jobs at once.
func selling(f func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error, opts ...worker.Option) worker.Definer {
	return worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
		if err := sell(ctx, tx, job); err != nil {
			return err
		}
		return f(ctx, tx, job)
	}, append([]worker.Option{
		worker.Shards(1), worker.BatchSize(20), worker.MaxRetries(3), worker.RetryIn(func(int) time.Duration { return 0 }),
	}, opts...)...)
}

// fates lists the status and attempt of each row of a task.
func (r *rig) fates(task *tasks.Task) (out []string) {
	r.t.Helper()
	for seq := range task.Total {
		e := r.event(task, seq+1)
		out = append(out, string(e.Status)+" "+strconv.Itoa(e.Attempt))
	}
	return out
}

// TestGroupTx_HandlersThatFailBehindAStatement_LoseTheirEffectsAlone checks that the other jobs of
// the group keep their effects, whatever the failure.
func TestGroupTx_HandlersThatFailBehindAStatement_LoseTheirEffectsAlone(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "fails", "b", "retried", "c", "panics", "d", "swallows", "e", "dead", "f", "snoozes")
		var snoozed atomic.Bool
		r.start(selling(func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			switch {
			case job.Key == "fails":
				return worker.Fail("SOLD_OUT", "sold out")
			case job.Key == "retried" && job.Attempt == 1:
				return errors.New("boom")
			case job.Key == "panics":
				panic("boom")
			case job.Key == "swallows":
				_, _ = tx.Exec(ctx, "INSERT INTO nowhere VALUES (1)", nil)
			case job.Key == "dead":
				return worker.NoRetry(errors.New("boom"))
			case job.Key == "snoozes" && !snoozed.Load():
				snoozed.Store(true)
				return worker.Snooze(0)
			}
			return job.Result(job.Key)
		}))
		now := r.await(task)
		if got := r.sales(); got != "a b c d e f retried snoozes" {
			r.t.Errorf("sales of %s", got)
		}
		want := []string{
			"finish 1", "failed 1", "finish 1", "finish 2", "finish 1", "error 4",
			"finish 1", "error 4", "finish 1", "error 1", "finish 1", "finish 1",
		}
		if diff := cmp.Diff(want, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
		e := r.event(task, 8)
		if notes := e.Notes(); len(notes) != 4 || !strings.Contains(notes[0].Text, "nowhere") {
			r.t.Errorf("the log of a swallowed error is %+v", notes)
		}
		r.recounted(task)
	})
}

// TestGroupTx_RowsOfAGroup_ShareACommit covers groups without failures, and with failures before
// the first statement.
func TestGroupTx_RowsOfAGroup_ShareACommit(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "b", "c", "d", "e", "f", "g", "h")
		var calls atomic.Int64
		n := r.start(worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if calls.Add(1); job.Key == "c" {
				return worker.Fail("C", "c")
			}
			return sell(ctx, tx, job)
		}, worker.Shards(1), worker.BatchSize(8)))
		r.await(task)
		if got := r.sales(); got != "a b d e f g h" {
			r.t.Errorf("sales of %s", got)
		}
		// A group ends after 50 ms, so a process that gets no processor makes more than one.
		if calls.Load() < 8 || n.groups.Load() >= 8 {
			r.t.Errorf("%d calls in %d commits, want 8 in fewer", calls.Load(), n.groups.Load())
		}
	})
}

// TestGroupTx_JobThatEndedElsewhere_HasNoEffect ends a job as another worker does, while its
// handler runs.
func TestGroupTx_JobThatEndedElsewhere_HasNoEffect(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "b", "c")
		var ended sync.Once
		r.start(worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			ended.Do(func() {
				for attempt, from := range []events.Status{events.Enqueue, events.Working} { // a slow run is announced
					_, err := r.Events.Record(ctx, []events.Move{{
						ID: events.NewID(task.Num, 2), From: from, FromAttempt: attempt, To: events.Finish, Attempt: 1, Result: []byte(`"elsewhere"`),
					}})
					if err != nil {
						r.t.Error(err)
					}
				}
			})
			return sell(ctx, tx, job)
		}, worker.Shards(1), worker.BatchSize(3)))
		r.await(task)
		if got := r.sales(); got != "a c" {
			r.t.Errorf("sales of %s, want a c", got)
		}
		if e := r.event(task, 2); e.Result == nil || *e.Result != `"elsewhere"` {
			r.t.Errorf("the row that ended elsewhere is %+v", e)
		}
		r.recounted(task)
	})
}

// TestGroupTx_HandlerThatStaysBehindAStatement_HoldsUpNoOtherWriter covers a handler that does not
// return after a statement. Each run of the handler is stopped, and its job ends in a system fault.
func TestGroupTx_HandlerThatStaysBehindAStatement_HoldsUpNoOtherWriter(t *testing.T) {
	on(t, func(r *rig) {
		if r.DB.Pool != nil {
			return // Postgres has several writers
		}
		r.shop()
		task, written := r.task("k", "a", "stays", "b"), make(chan struct{})
		var once sync.Once
		r.start(selling(func(ctx context.Context, _ worker.Tx, job *worker.Job[none]) error {
			if job.Key != "stays" {
				return nil
			}
			once.Do(func() {
				go func() {
					defer close(written)
					err := r.DB.InTx(r.t.Context(), func(tx ledger.Tx) error {
						_, err := tx.Exec(r.t.Context(), "INSERT INTO sales VALUES ('other', '', 0)", nil)
						return err
					})
					if err != nil {
						r.t.Error(err)
					}
				}()
				<-written // the handler ignores ctx until then
			})
			<-ctx.Done()
			return context.Cause(ctx)
		}, worker.MaxRetries(0)))
		r.await(task)
		if got := r.sales(); got != "a b other" {
			r.t.Errorf("sales of %s", got)
		}
		e := r.event(task, 2)
		if notes := e.Notes(); e.Status != events.Error || !strings.Contains(notes[len(notes)-1].Text, worker.ErrTxHeld.Error()) {
			r.t.Errorf("the row is %s, %+v", e.Status, e.Notes())
		}
	})
}

// TestGroupTx_HandlerThatIsSlowBeforeItsFirstStatement_RunsAlone checks that the slow job gets the
// status Working, and that the other jobs of its group do not wait for it.
func TestGroupTx_HandlerThatIsSlowBeforeItsFirstStatement_RunsAlone(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task, letGo := r.task("k", "a", "slow", "b"), make(chan struct{})
		var slow atomic.Int64
		r.start(worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if job.Key == "slow" {
				slow.Add(1)
				select {
				case <-ctx.Done():
					return context.Cause(ctx)
				case <-letGo:
				}
			}
			return sell(ctx, tx, job)
		}, worker.Shards(1)))
		eventually(r.t, func() bool { return r.sales() == "a b" && r.event(task, 2).Status == events.Working })
		close(letGo)
		r.await(task)
		if got := r.sales(); got != "a b slow" || slow.Load() > 2 {
			r.t.Errorf("sales of %s; the slow handler ran %d times", got, slow.Load())
		}
		if e := r.event(task, 2); e.Attempt != 1 || len(e.Notes()) != 0 {
			r.t.Errorf("the slow row used %d attempts: %+v", e.Attempt, e.Notes())
		}
	})
}

// TestGroupTx_OrderOfAKey_HoldsThroughRetries checks that jobs after a retried job wait for it.
func TestGroupTx_OrderOfAKey_HoldsThroughRetries(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "b", "a", "b", "a")
		r.start(selling(func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if _, err := tx.Exec(ctx, "UPDATE sales SET n = (SELECT count(*) FROM sales WHERE key = @key) WHERE job = @job",
				worker.Args{"key": job.Key, "job": job.ID}); err != nil {
				return err
			}
			if job.Row == 2 && job.Attempt < 3 {
				return errors.New("boom")
			}
			return nil
		}))
		now := r.await(task)
		var got []string
		if err := r.DB.Read.Raw("SELECT key || n FROM sales ORDER BY job").Scan(&got).Error; err != nil {
			r.t.Fatal(err)
		}
		if !slices.Equal(got, []string{"a1", "b1", "a2", "b2", "a3"}) {
			r.t.Errorf("sales in order: %q", got)
		}
		want := []string{"finish 3", "finish 1", "finish 1", "finish 1", "finish 1"}
		if diff := cmp.Diff(want, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}

// TestGroupTx_LatestOfAKey_WritesOnce checks that the older jobs end or wait with the newest.
func TestGroupTx_LatestOfAKey_WritesOnce(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "a", "b", "a")
		r.start(selling(func(_ context.Context, _ worker.Tx, job *worker.Job[none]) error {
			if job.Attempt == 1 {
				return errors.New("boom")
			}
			return nil
		}, worker.Latest()))
		now := r.await(task)
		if got := r.sales(); got != "a b" {
			r.t.Errorf("sales of %s, want a b", got)
		}
		if diff := cmp.Diff([]string{"finish 1", "finish 1", "finish 2", "finish 2"}, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}

// TestGroupTx_TimeoutBehindAStatement_IsAFaultOfTheJobAlone covers Postgres, too, where a timeout
// ends the connection.
func TestGroupTx_TimeoutBehindAStatement_IsAFaultOfTheJobAlone(t *testing.T) {
	on(t, func(r *rig) {
		r.shop()
		task := r.task("k", "a", "late", "b")
		r.start(selling(func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			if job.Key != "late" {
				return nil
			}
			<-ctx.Done()
			_ = sell(ctx, tx, job)
			return ctx.Err()
		}, worker.Timeout(30*time.Millisecond), worker.MaxRetries(9)))
		r.await(task)
		if got := r.sales(); got != "a b" {
			r.t.Errorf("sales of %s, want a b", got)
		}
		e := r.event(task, 2)
		if notes := e.Notes(); e.Status != events.Error || !strings.Contains(notes[0].Text, "longer than 30ms") {
			r.t.Errorf("the row is %s: %+v", e.Status, notes)
		}
	})
}

// TestGroupTx_Deadlock_UsesNoAttempt makes two groups lock two rows in opposite orders.
func TestGroupTx_Deadlock_UsesNoAttempt(t *testing.T) {
	on(t, func(r *rig) {
		if r.DB.Pool == nil {
			return // there is one writer
		}
		r.shop()
		if err := r.DB.Write.Exec("INSERT INTO sales VALUES ('x', '', 0), ('y', '', 0)").Error; err != nil {
			r.t.Fatal(err)
		}
		task := r.task("k", "xy", "yx")
		var first sync.WaitGroup
		first.Add(2)
		var met sync.Map
		r.start(worker.DefineTx("k", func(ctx context.Context, tx worker.Tx, job *worker.Job[none]) error {
			for i, key := range strings.Split(job.Key, "") {
				_, err := tx.Exec(ctx, "UPDATE sales SET n = n + 1 WHERE key = @key", worker.Args{"key": key})
				if err != nil {
					return err
				}
				if _, again := met.LoadOrStore(job.Key, true); i == 0 && !again {
					first.Done()
					first.Wait()
				}
			}
			return nil
		}, worker.Shards(1), worker.BatchSize(1)))
		now := r.await(task)
		if diff := cmp.Diff([]string{"finish 1", "finish 1"}, r.fates(now)); diff != "" {
			r.t.Errorf("rows (-want +got):\n%s", diff)
		}
		var n int
		if err := r.DB.Read.Raw("SELECT sum(n) FROM sales").Scan(&n).Error; err != nil || n != 4 {
			r.t.Errorf("%d updates, %v; want 4", n, err)
		}
	})
}
