package middleware_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// canceler runs a canceler beside the nodes.
func (r *rig) canceler(n *node) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	c := reconcile.NewCanceler(r.Tasks, r.Events, n.Queue, reconcile.CancelerOptions{
		Poll: 50 * time.Millisecond,
	})
	go func() { defer close(ended); c.Run(ctx) }()
	r.t.Cleanup(func() { cancel(); <-ended })
}

// recounted compares the counts of a task with its events.
func (r *rig) recounted(task *tasks.Task) {
	r.t.Helper()
	now, err := r.Tasks.Get(r.t.Context(), "acme", task.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	got := map[events.Status]int64{}
	for e, err := range r.Events.Each(r.t.Context(), task.Num, events.Filter{}) {
		if err != nil {
			r.t.Fatal(err)
		}
		got[e.Status]++
	}
	want := map[events.Status]int64{}
	for status, n := range map[events.Status]int64{
		events.Enqueue: now.Enqueue, events.Working: now.Working, events.Finish: now.Finish,
		events.Failed: now.Failed, events.Error: now.Error, events.Canceled: now.Canceled,
	} {
		if n != 0 {
			want[status] = n
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("the events are not what the task counts (-counts +events):\n%s", diff)
	}
	if now.Status.Done() && now.Retrying != 0 {
		r.t.Errorf("done, and %d retrying", now.Retrying)
	}
}

func (r *rig) cancel(task *tasks.Task) {
	r.t.Helper()
	if err := r.Tasks.Cancel(r.t.Context(), "acme", task.ID); err != nil {
		r.t.Fatal(err)
	}
}

func keys(n int) []string { return make([]string, n) }

func TestPausedAtHalf(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", keys(300)...)
		half, gate := make(chan struct{}), make(chan struct{})
		var runs atomic.Int64
		r.start(worker.Define("k", func(ctx context.Context, _ *worker.Job[none]) error {
			if n := runs.Add(1); n == 20 {
				close(half)
			} else if n < 20 {
				return nil
			}
			<-gate // open once the task is paused
			return nil
		}, worker.Shards(1)))
		<-half
		if err := r.Tasks.Pause(t.Context(), "acme", task.ID); err != nil {
			r.t.Fatal(err)
		}
		close(gate)
		var feed lanes.Feed
		eventually(r.t, func() bool { // the rows that were fed run to their end
			feeds, err := lanes.New(r.Tasks).Feeds(r.t.Context())
			if err != nil || len(feeds) != 1 {
				r.t.Fatal(feeds, err)
			}
			feed = feeds[0]
			return feed.InRedis == 0
		})
		if feed.Unfed == 0 || runs.Load() == 300 || feed.Status != tasks.Paused {
			r.t.Errorf("%d rows wait, %d ran, %s: the pause held up nothing", feed.Unfed, runs.Load(), feed.Status)
		}
		r.recounted(task)
		if err := r.Tasks.Resume(t.Context(), "acme", task.ID); err != nil {
			r.t.Fatal(err)
		}
		if now := r.await(task); now.Finish != 300 || now.Status != tasks.Finished {
			r.t.Errorf("finish %d, %s", now.Finish, now.Status)
		}
		r.recounted(task)
	})
}

// TestCanceledWhileRunning cancels a handler that obeys, one that ignores its context, and later
// rows that were fed.
func TestCanceledWhileRunning(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", append([]string{"obeys", "deaf"}, append([]string{"obeys", "deaf"}, keys(100)...)...)...)
		running, deaf := make(chan string, 200), make(chan struct{})
		var began sync.Map
		n := r.start(worker.Define("k", func(ctx context.Context, j *worker.Job[none]) error {
			began.Store(j.ID, true)
			switch j.Key {
			case "obeys":
				running <- j.Key
				<-ctx.Done()
				if !errors.Is(context.Cause(ctx), worker.ErrCanceled) {
					r.t.Errorf("cause %v, want ErrCanceled", context.Cause(ctx))
				}
				return ctx.Err()
			case "deaf":
				running <- j.Key
				<-deaf
			default:
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}, worker.Shards(1)))
		<-running
		<-running
		r.cancel(task)
		r.canceler(n)
		eventually(r.t, func() bool { return r.event(task, 1).Status == events.Canceled })
		if e := r.event(task, 1); e.Attempt != 0 {
			r.t.Errorf("a canceled run has used an attempt: %d", e.Attempt)
		}
		close(deaf)
		now := r.await(task)
		if now.Status != tasks.Canceled || now.Finish != 1 || now.Canceled != 103 {
			r.t.Errorf("%s, finish %d, canceled %d; want canceled, 1, 103", now.Status, now.Finish, now.Canceled)
		}
		r.recounted(task)
		for _, seq := range []int64{3, 4} {
			if _, ran := began.Load(events.NewID(task.Num, seq).JobID(task.ID)); ran {
				r.t.Errorf("row %d ran after the cancel", seq)
			}
		}
		eventually(r.t, func() bool { // its jobs are removed from Redis
			st, err := n.Queue.Stats(r.t.Context(), "k")
			return err == nil && st.Length == 0
		})
	})
}

// TestCanceledWhileRetrying cancels a row whose retry is hours away: a row of another task with the
// same key need not wait for it.
func TestCanceledWhileRetrying(t *testing.T) {
	on(t, func(r *rig) {
		first := r.task("k", "same")
		var calls atomic.Int64
		n := r.start(worker.Define("k", func(_ context.Context, j *worker.Job[none]) error {
			if calls.Add(1); j.TaskID == first.ID {
				return errors.New("boom")
			}
			return nil
		}, worker.Shards(1), worker.RetryIn(func(int) time.Duration { return 5 * time.Hour })))
		r.canceler(n)
		eventually(r.t, func() bool {
			now, err := r.Tasks.Get(r.t.Context(), "acme", first.ID)
			return err == nil && now.Retrying == 1
		})
		second := r.task("k", "same")
		n.Feeder.Wake()
		r.cancel(first)
		if now := r.await(first); now.Status != tasks.Canceled || now.Canceled != 1 {
			r.t.Errorf("%s, canceled %d", now.Status, now.Canceled)
		}
		if now := r.await(second); now.Status != tasks.Finished {
			r.t.Errorf("the task behind it: %s", now.Status)
		}
		r.recounted(first)
		if n := calls.Load(); n != 2 {
			r.t.Errorf("%d calls, want 2: the canceled row ran again", n)
		}
	})
}

// TestTooManyFailures cancels a task in the transaction that counts one failure too many.
func TestTooManyFailures(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("k", keys(500)...)
		most := int64(10)
		if err := r.DB.Write.Model(task).Update("max_failures", most).Error; err != nil {
			r.t.Fatal(err)
		}
		n := r.start(worker.Define("k", func(context.Context, *worker.Job[none]) error {
			time.Sleep(time.Millisecond)
			return worker.Fail("X", "no")
		}, worker.Shards(1)))
		r.canceler(n)
		now := r.await(task)
		if now.Status != tasks.Canceled || now.Outcome != "canceled" || now.Failed <= most || now.Canceled == 0 {
			r.t.Errorf("%s, failed %d, canceled %d", now.Status, now.Failed, now.Canceled)
		}
		if now.Problem == nil || now.Problem.Code != "TOO_MANY_FAILURES" {
			r.t.Errorf("problem %+v", now.Problem)
		}
		r.recounted(task)
	})
}
