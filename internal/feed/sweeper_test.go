package feed_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/queue"
)

// sweep advances the clock by ten minutes, lets a sweeper sweep once, and returns its repairs.
func (f *farm) sweep() reconcile.Repairs {
	f.t.Helper()
	s := reconcile.NewSweeper(f.Tasks, f.Events, f.Queue, f.Kinds, reconcile.SweeperOptions{
		Now: func() time.Time { return f.now },
	})
	f.now = f.now.Add(10 * time.Minute)
	if err := s.Sweep(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return s.Repairs()
}

func (f *farm) swept(when string, want reconcile.Repairs) {
	f.t.Helper()
	if got := f.sweep(); got != want {
		f.t.Errorf("%s: %+v, want %+v", when, got, want)
	}
}

// TestAStalledJobIsFedAgain deletes the keys of waiting and delayed jobs in Redis.
func TestAStalledJobIsFedAgain(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(40)
		f.feed()
		f.finish(task.Num, 1, 10)
		f.swept("all is well", reconcile.Repairs{})
		if n, err := f.Queue.Admin().Delete(t.Context(), "k", "acme/3", "acme/20", "acme/21"); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		retry := f.now.Add(time.Hour).UnixMilli()
		_, err := f.Events.Record(t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 22), From: events.Enqueue, To: events.Enqueue, Attempt: 1, NextRunAt: retry,
		}})
		if err != nil {
			t.Fatal(err)
		}
		f.swept("two of three are not at rest", reconcile.Repairs{Fed: 2})
		f.swept("once is enough", reconcile.Repairs{})
		places, err := f.Queue.Admin().Locate(t.Context(), "k", f.ref(task.Num, 21), f.ref(task.Num, 22), f.ref(task.Num, 4))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range places[:2] {
			if p.Waiting != 1 || !p.Redelivered {
				t.Errorf("job %d is at %+v: it must wait, and ask the ledger", i, p)
			}
		}
		if places[2].Waiting != 0 {
			t.Error("a job at rest was fed again")
		}
	})
}

// TestAJobThatMayBeAtWorkIsLeftAlone: the sweeper does not push a job that may be running until its
// time is over.
func TestAJobThatMayBeAtWorkIsLeftAlone(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(2)
		f.feed()
		_, err := f.Events.Record(t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Working, Attempt: 1,
			StartedAt: f.now.Add(9 * time.Minute).UnixMilli(),
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Queue.Admin().Delete(t.Context(), "k", "acme/0"); err != nil {
			t.Fatal(err)
		}
		f.swept("at work for a minute", reconcile.Repairs{})
		f.swept("at work for eleven minutes", reconcile.Repairs{Fed: 1})
	})
}

// TestAJobInTheMorgueEnds has a job in the morgue whose row is still waiting in the ledger.
func TestAJobInTheMorgueEnds(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(3)
		f.feed()
		if n, err := f.Queue.Admin().Kill(t.Context(), "k", "acme/1"); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		f.swept("one is in the morgue", reconcile.Repairs{Ended: 1})
		f.swept("once is enough", reconcile.Repairs{})
		e, err := f.Events.Get(t.Context(), events.NewID(task.Num, 2))
		if err != nil || e.Status != events.Error || e.Code == nil || *e.Code != "CRASHED" {
			t.Errorf("%+v, %v: want an error with CRASHED", e, err)
		}
		f.finish(task.Num, 1, 1)
		f.finish(task.Num, 3, 3)
		if got, err := f.Tasks.Get(t.Context(), "acme", task.ID); err != nil || !got.Status.Done() {
			t.Errorf("the task is %s, %v", got.Status, err)
		}
	})
}

// TestFeedsAreMended checks feeds that are lost, and feeds that should not exist.
func TestFeedsAreMended(t *testing.T) {
	onBoth(t, func(f *farm) {
		lost, done := f.task(3), f.task(1)
		f.feed()
		f.finish(done.Num, 1, 1)
		for _, text := range []string{
			fmt.Sprintf("INSERT INTO rollcall.feeds (task_num) VALUES (%d)", done.Num),
			fmt.Sprintf("DELETE FROM rollcall.feeds WHERE task_num = %d", lost.Num),
		} {
			if err := f.DB.Write.Exec(text).Error; err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []int64{2, 0} {
			if v, findings := f.verify(reconcile.VerifyOptions{Repair: true, LedgerOnly: true}); v.Repaired != want {
				t.Errorf("%d feeds were mended, want %d: %s", v.Repaired, want, findings)
			}
		}
		f.lose()
		if n := f.feed(); n != 3 {
			t.Errorf("%d keys in Redis, want 3", n)
		}
	})
}

// TestAWipedRedisIsNotSwept checks that the feeder, not the sweeper, pushes all rows again.
func TestAWipedRedisIsNotSwept(t *testing.T) {
	on(t, func(f *farm) {
		f.task(30)
		f.feed()
		if err := f.queueFlush(); err != nil {
			t.Fatal(err)
		}
		f.swept("Redis is empty", reconcile.Repairs{})
		if n := f.feed(); n != 30 {
			t.Errorf("%d keys in Redis, want 30", n)
		}
		f.swept("Redis is fed", reconcile.Repairs{})
	})
}

func (f *farm) queueFlush() error { return f.Redis.FlushAll(f.t.Context()).Err() }

// ref returns the queue's reference to a row of a task that the method task added.
func (f *farm) ref(num, seq int64) queue.Ref {
	id := events.NewID(num, seq)
	return queue.Ref{Key: fmt.Sprintf("acme/%d", seq-1), Score: float64(id), Head: fmt.Sprintf("%016x", int64(id))}
}

// strand removes keys of the queue k from the lists of Redis, like a script that fails after its
// first write.
func (f *farm) strand(keys ...string) {
	f.t.Helper()
	lines, err := f.Redis.Keys(f.t.Context(), "queue:{k:*}:ready").Result()
	f.fine(err)
	for _, line := range lines {
		for _, entry := range f.Redis.LRange(f.t.Context(), line, 0, -1).Val() {
			if _, key, _ := strings.Cut(entry, ";"); slices.Contains(keys, key) {
				f.fine(f.Redis.LRem(f.t.Context(), line, 1, entry).Err())
			}
		}
	}
}

// TestSweep_KeyInNoList_RunsAgain strands rows: they are listed again, once, and run.
func TestSweep_KeyInNoList_RunsAgain(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(40)
		f.feed()
		f.swept("all is well", reconcile.Repairs{})
		f.strand("acme/3", "acme/20", "acme/39")
		f.swept("three are stranded", reconcile.Repairs{Listed: 3})
		f.swept("once is enough", reconcile.Repairs{})
		f.silent("listed again")
		server := queue.NewServer(f.Redis, queue.ServerOptions{}, queue.Worker{
			Queue: "k", Handle: func(ctx context.Context, b *queue.Batch) error {
				_, err := f.Events.Record(ctx, []events.Move{ending(t, b.Deliveries[0])})
				return err
			},
		})
		f.fine(server.Start(t.Context()))
		defer server.Stop()
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			got, err := f.Tasks.Get(t.Context(), "acme", task.ID)
			if f.fine(err); got.Status.Done() {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d of 40 rows have finished", got.Finish)
			}
		}
	})
}

// TestSweep_CheckOfATaskFails_StrandedKeyIsListed has Redis refuse the check of a task, because a key
// of the morgue has the wrong type. The sweep reports that, and lists the stranded key all the same.
func TestSweep_CheckOfATaskFails_StrandedKeyIsListed(t *testing.T) {
	on(t, func(f *farm) {
		f.task(40)
		f.feed()
		lines, err := f.Redis.Keys(f.t.Context(), "queue:{k:*}:ready").Result()
		f.fine(err)
		for _, line := range lines { // one per shard
			f.fine(f.Redis.Set(f.t.Context(), strings.TrimSuffix(line, "ready")+"m:acme/5", "no jobs", 0).Err())
		}
		f.strand("acme/20")
		s := reconcile.NewSweeper(f.Tasks, f.Events, f.Queue, f.Kinds, reconcile.SweeperOptions{
			Now: func() time.Time { return f.now },
		})
		f.now = f.now.Add(10 * time.Minute)
		if err := s.Sweep(f.t.Context()); err == nil {
			f.t.Error("the sweep reports no error of the check")
		}
		if got := s.Repairs().Listed; got != 1 {
			f.t.Errorf("%d keys are listed, want 1", got)
		}
	})
}
