package feed_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestCancelRows_BusyWorkers_RunNoCanceledRow cancels all rows while the handlers wait, so that the
// workers fetch canceled jobs afterwards.
func TestCancelRows_BusyWorkers_RunNoCanceledRow(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		var runs atomic.Int64
		open := make(chan struct{})
		kind := worker.Define("k", func(ctx context.Context, _ *worker.Job[struct{}]) error {
			runs.Add(1)
			select {
			case <-open:
			case <-ctx.Done():
			}
			return nil
		}, worker.Shards(1))
		s := fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(kind)})
		const all = 300
		rows := make([]events.Draft, all)
		for i := range rows {
			rows[i] = events.Draft{Row: i + 1, Key: fmt.Sprint("K", i%100), Params: []byte("{}")}
		}
		task := s.Add(t, "k", rows...)
		node, err := s.Start(fixture.NodeOptions{
			Feeder: feed.Options{Window: 1000, MinWindow: 1000}, Server: queue.ServerOptions{Concurrency: 2},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(node.Stop)
		fixture.Eventually(t, "two rows run, and all are in Redis", func() bool {
			f, err := lanes.New(s.Tasks).FeedOf(t.Context(), task.Num)
			return err == nil && f != nil && f.Unfed == 0 && runs.Load() == 2
		})
		act := reconcile.NewRowCanceler(s.Tasks, s.Events, s.Queue, reconcile.CancelerOptions{}).Begin(reconcile.Selection{By: "ann"})
		if _, err := act.Add(t.Context(), task, func(*events.Event) bool { return true }); err != nil {
			t.Fatal(err)
		}
		out, err := act.End(t.Context())
		if err != nil || out.Canceled < all/2 {
			t.Fatalf("%+v, %v", out, err)
		}
		close(open)
		done := s.Await(t, task)
		if done.Canceled != out.Canceled || runs.Load() != all-out.Canceled || done.Finish != runs.Load() {
			t.Errorf("%d rows ran: %+v, want %d canceled and the others finished", runs.Load(), done.Counts, out.Canceled)
		}
	})
}

// TestCancelRows_WaitingForARetry_LetsTheNextRun cancels a row whose next attempt is hours away.
func TestCancelRows_WaitingForARetry_LetsTheNextRun(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		kind := worker.Define("k", func(ctx context.Context, _ *worker.Job[struct{}]) error {
			if jobs.Calls(ctx)[0].Event.Seq() == 1 {
				return errors.New("the partner is away")
			}
			return nil
		}, worker.RetryIn(func(int) time.Duration { return 5 * time.Hour }))
		s := fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(kind)})
		draft := func(row int) events.Draft { return events.Draft{Row: row, Key: "K", Params: []byte("{}")} }
		task := s.Add(t, "k", draft(1), draft(2), draft(3))
		node, err := s.Start(fixture.NodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(node.Stop)
		// The queue gets the retry after the ledger. Until then the worker still has the row.
		fixture.Eventually(t, "the first row waits for its retry", func() bool {
			list, err := s.Events.Some(t.Context(), task.Num, []int64{1})
			st, err2 := s.Queue.Stats(t.Context(), "k")
			return err == nil && err2 == nil && st.Busy == 0 &&
				len(list) == 1 && list[0].Status == events.Enqueue && list[0].Attempt == 1
		})
		act := reconcile.NewRowCanceler(s.Tasks, s.Events, s.Queue, reconcile.CancelerOptions{}).Begin(
			reconcile.Selection{Filter: events.Filter{Seqs: []int64{1}}, By: "ann"})
		if _, err := act.Add(t.Context(), task, func(*events.Event) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if out, err := act.End(t.Context()); err != nil || out.Canceled != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
		if done := s.Await(t, task); done.Canceled != 1 || done.Finish != 2 {
			t.Errorf("%+v, want one canceled and two finished", done.Counts)
		}
	})
}

// TestCancelRows_RealWorkers_RunNoCanceledRow cancels keys of a task while two nodes run it.
func TestCancelRows_RealWorkers_RunNoCanceledRow(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		var mu sync.Mutex
		ran := map[events.ID]bool{}
		all, keys := testenv.Size(900, 3000), 40
		kind := worker.Define("k", func(ctx context.Context, _ *worker.Job[struct{}]) error {
			mu.Lock()
			ran[jobs.Calls(ctx)[0].Event] = true
			mu.Unlock()
			time.Sleep(30 * time.Second / time.Duration(all)) // the six workers need five seconds
			return nil
		}, worker.Shards(2))
		s := fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(kind)})
		rows := make([]events.Draft, all)
		for i := range rows {
			rows[i] = events.Draft{Row: i + 1, Key: fmt.Sprint("K", i%keys), Params: []byte("{}")}
		}
		task := s.Add(t, "k", rows...)
		for range 2 {
			node, err := s.Start(fixture.NodeOptions{
				Feeder: feed.Options{Window: 400, MinWindow: 200, Chunk: 50}, Server: queue.ServerOptions{Concurrency: 3},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(node.Stop)
		}
		c := reconcile.NewRowCanceler(s.Tasks, s.Events, s.Queue, reconcile.CancelerOptions{})
		canceled := int64(0)
		for _, key := range []string{"K3", "K11", "K17", "K25", "K38"} {
			act := c.Begin(reconcile.Selection{Filter: events.Filter{Key: key}, By: "ann"})
			if _, err := act.Add(t.Context(), task, func(*events.Event) bool { return true }); err != nil {
				t.Fatal(err)
			}
			out, err := act.End(t.Context())
			if err != nil {
				t.Errorf("%s: %v", key, err)
			}
			canceled += out.Canceled
		}
		if canceled == 0 { // the rows of one key may all run or have ended
			t.Error("no row was canceled")
		}
		done := s.Await(t, task)
		if done.Canceled != canceled || done.Finish != int64(all)-canceled {
			t.Errorf("%+v, want %d canceled and the others finished", done.Counts, canceled)
		}
		mu.Lock()
		defer mu.Unlock()
		for e, err := range s.Events.Each(t.Context(), task.Num, events.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if ran[e.ID] != (e.Status == events.Finish) {
				t.Errorf("row %d is %s; it ran: %t", e.Row, e.Status, ran[e.ID])
			}
		}
	})
}
