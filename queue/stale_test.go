package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// runAts returns the keys of the page by run-at.
func (w *world) runAts() (keys []string) {
	w.t.Helper()
	page, err := w.client().Admin().Waiting(w.t.Context(), "q", Query{By: ByRunAt, Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, k := range page.Keys {
		keys = append(keys, k.Key)
	}
	return keys
}

// TestDelete_OnAPausedQueue_LeavesNothingBehind pushes and deletes keys on a queue without a
// worker.
func TestDelete_OnAPausedQueue_LeavesNothingBehind(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		clock := time.Now()
		c := NewClient(w.rdb, ClientOptions{
			Prefix: w.prefix, Queues: []Spec{{Name: "q"}}, Now: func() time.Time { return clock },
		})
		a, ctx := c.Admin(), t.Context()
		if err := a.Pause(ctx, "q"); err != nil { // nobody has used it
			t.Fatal(err)
		}
		for range 3 {
			w.push(Job{Key: "a"}, Job{Key: "b"}, Job{Key: "stays"}, Job{Key: "c"})
			if n, err := a.Delete(ctx, "q", "a", "c"); n != 2 || err != nil {
				t.Fatalf("deleted %d, %v", n, err)
			}
			if n, err := a.Kill(ctx, "q", "b"); n != 1 || err != nil {
				t.Fatalf("killed %d, %v", n, err)
			}
		}
		w.push(Job{Key: "a"})
		if keys := w.runAts(); !slices.Equal(keys, []string{"stays", "a"}) {
			t.Errorf("the page has %q", keys)
		}
		if n, err := a.Delete(ctx, "q", "a", "stays"); n != 2 || err != nil {
			t.Fatalf("deleted %d, %v", n, err)
		}
		clock = clock.Add(time.Hour)
		if st, err := c.Stats(ctx, "q"); err != nil || st.Lag != 0 || st.Length != 0 {
			t.Errorf("of an empty queue: %+v, %v", st, err)
		}
		for i := range 5 {
			if n := w.rdb.LLen(ctx, keyspace{w.prefix}.shard("q", i).ready).Val(); n != 0 {
				t.Errorf("the line of shard %d keeps %d entries", i, n)
			}
		}
	})
}

// TestDelete_AmongThousands_RemovesTheirEntries deletes keys all over a long ready list.
func TestDelete_AmongThousands_RemovesTheirEntries(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w)
		c, ctx := w.client(Spec{"one", 1}), t.Context()
		var list []Job
		for i := range 2500 {
			list = append(list, Job{Queue: "one", Key: fmt.Sprint("k", i)})
		}
		if err := c.Push(ctx, list...); err != nil {
			t.Fatal(err)
		}
		for _, part := range [][]string{{"k0", "k2499", "k1200"}, {"k999", "k1000", "k1001", "k3"}} {
			if n, err := c.Admin().Delete(ctx, "one", part...); n != len(part) || err != nil {
				t.Fatalf("deleted %d of %q, %v", n, part, err)
			}
		}
		entries := w.rdb.LRange(ctx, h.own.shard.keys.ready, 0, -1).Val()
		if len(entries) != 2493 {
			t.Errorf("the line keeps %d entries of 2493 keys", len(entries))
		}
		for i := 1; i < len(entries); i++ {
			if entries[i-1][:13] > entries[i][:13] {
				t.Fatalf("entry %d is earlier than the one before", i)
			}
		}
	})
}

// TestWaiting_BehindItsOwnFlight_StandsOnThePageByRunAt pushes payloads for a key in flight.
func TestWaiting_BehindItsOwnFlight_StandsOnThePageByRunAt(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, Job{Key: "k", Payload: []byte("a")})
		h.fetch(1)
		c := w.client(Spec{"one", 1})
		if err := c.Push(t.Context(), Job{Queue: "one", Key: "k", Payload: []byte("b")}); err != nil {
			t.Fatal(err)
		}
		page, err := c.Admin().Waiting(t.Context(), "one", Query{By: ByRunAt})
		if err != nil || len(page.Keys) != 1 || page.Keys[0].Key != "k" || page.Keys[0].RunAt.IsZero() {
			t.Errorf("page %+v, %v", page.Keys, err)
		}
	})
}

// TestLocate_OfAnotherScore_FindsNothing uses a waiting payload, and one in flight.
func TestLocate_OfAnotherScore_FindsNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const score = 1795375487267
		h := byHand(t, w, Job{Key: "flies", Payload: []byte("a"), Score: score})
		h.fetch(1)
		c := w.client(Spec{"one", 1})
		if err := c.Push(t.Context(), Job{Queue: "one", Key: "waits", Payload: []byte("a"), Score: score}); err != nil {
			t.Fatal(err)
		}
		got, err := c.Admin().Locate(t.Context(), "one",
			Ref{Key: "flies", Score: score, Head: "a"}, Ref{Key: "flies", Score: score + 1, Head: "a"},
			Ref{Key: "waits", Score: score, Head: "a"}, Ref{Key: "waits", Score: score - 1, Head: "a"})
		want := []Place{{Busy: 1}, {}, {Waiting: 1}, {}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("located %+v, %v", got, err)
		}
	})
}

// TestAdmin_OfAQueueThatNobodyUsed_FindsNothing calls the methods that need only a queue.
func TestAdmin_OfAQueueThatNobodyUsed_FindsNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a, ctx := w.client().Admin(), t.Context()
		for name, act := range map[string]func(context.Context, string) (int, error){
			"perform all now": a.PerformAllNow, "kill failed": a.KillAllFailed, "delete failed": a.DeleteAllFailed,
			"requeue": a.RequeueAllMorgue, "delete dead": a.DeleteAllMorgue,
		} {
			if n, err := act(ctx, "q"); n != 0 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		if page, err := a.Waiting(ctx, "q", Query{}); len(page.Keys) > 0 || err != nil {
			t.Errorf("waiting: %+v, %v", page, err)
		}
		if st, err := a.Stats(ctx, "q"); len(st.Shards) != 5 || err != nil {
			t.Errorf("stats: %+v, %v", st, err)
		}
		if list, err := a.Queues(ctx); len(list) > 0 || err != nil {
			t.Errorf("a look has made a queue: %q, %v", list, err)
		}
		if err := a.Reshard(ctx, "q", 3); err != nil {
			t.Errorf("reshard: %v", err)
		}
	})
}

// TestOnStopped_WithRedisDead_TellsWhatIsLeft stops a server whose Redis has ended.
func TestOnStopped_WithRedisDead_TellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	r, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	words := make(chan error, 1)
	opt := w.quick()
	opt.Lease = 6 * time.Second // Stop waits for its end; the lease outlasts a pause of the process
	opt.StopTimeout, opt.OnStopped = 200*time.Millisecond, func(err error) { words <- err }
	go1 := make(chan struct{})
	s := w.serve(opt, Worker{Queue: "q", BatchSize: 10, Handle: func(context.Context, *Batch) error {
		<-go1
		return nil
	}})
	w.push(Job{Key: "a"}, Job{Key: "b"}, Job{Key: "b", Payload: []byte("2")})
	until(t, "all is in flight", func() bool { return s.Counts().InFlight == 3 })
	r.kill()
	close(go1)
	s.Stop()
	if err := <-words; !errors.Is(err, ErrUnsettled) || err.Error() != "payloads are left in flight: 3" {
		t.Errorf("the last words are %v", err)
	}
}
