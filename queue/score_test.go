package queue

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// payloads returns the payloads of one fetch.
func (h *hand) payloads() (list []string) {
	for _, u := range h.fetch(10) {
		for _, d := range u.list {
			list = append(list, string(d.Payload))
		}
	}
	return list
}

// TestScore_OfNone_IsTheOrderOfPushes pushes payloads in descending order of their bytes, in one
// call and in many. The clock goes back before each call, and the key has payloads in flight and
// dead ones.
func TestScore_OfNone_IsTheOrderOfPushes(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w)
		clock := time.Now()
		c := NewClient(w.rdb, ClientOptions{
			Prefix: w.prefix, Queues: []Spec{{"one", 1}}, Now: func() time.Time { return clock },
		})
		next := 'z'
		push := func(n int) {
			t.Helper()
			clock = clock.Add(-time.Minute) // like a push of another client, whose clock is behind
			var list []Job
			for range n {
				list = append(list, Job{Queue: "one", Key: "k", Payload: []byte(string(next))})
				next--
			}
			if err := c.Push(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
		}
		push(1)
		dying := h.fetch(1)[0]
		push(1) // behind the payload in flight
		h.settle(dying, Outcome{Kind: Dead, Err: "no"})
		if got := h.fetch(1); len(got) != 1 {
			t.Fatal("the second does not come")
		} else {
			h.settle(got[0], Outcome{Kind: Done})
		}
		push(1) // behind the dead payload
		push(3)
		explicit := Job{Queue: "one", Key: "k", Payload: []byte("explicit"), Score: 1e9 + 0.5}
		if err := c.Push(t.Context(), explicit); err != nil {
			t.Fatal(err)
		}
		push(2)
		if err := c.Push(t.Context(), Job{Queue: "one", Key: "k", Payload: []byte("x")}); err != nil {
			t.Fatal(err) // it waits, and stays where it is
		}
		if _, err := c.Admin().RequeueMorgue(t.Context(), "one", "k"); err != nil {
			t.Fatal(err)
		}
		want := []string{"z", "x", "w", "v", "u", "explicit", "t", "s"}
		if got := h.payloads(); !slices.Equal(got, want) {
			t.Errorf("they run in the order %q, want %q", got, want)
		}
	})
}

// TestPush_ByAClockAhead_DelaysNothing sets one client's clock an hour ahead.
func TestPush_ByAClockAhead_DelaysNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.rare() // only the wake-ups report jobs
		w.serve(opt, Worker{Queue: "q", Shards: 1, Handle: blank})
		ahead := NewClient(w.rdb, ClientOptions{
			Prefix: w.prefix, Queues: []Spec{{"q", 1}}, Now: func() time.Time { return time.Now().Add(time.Hour) },
		})
		until(t, "the server listens", func() bool {
			return w.rdb.Exists(t.Context(), keyspace{w.prefix}.shard("q", 0).lease).Val() == 1
		})
		for i := range 20 {
			key := fmt.Sprint("k", i%3)
			if err := ahead.Push(t.Context(), Job{Queue: "q", Key: key, Payload: fmt.Append(nil, i)}); err != nil {
				t.Fatal(err)
			}
			w.push(Job{Key: key, Payload: fmt.Append(nil, i, "other")}, Job{Key: "other", Payload: fmt.Append(nil, i)})
		}
		until(t, "all jobs have run", func() bool { return w.stats().Processed == 60 })
	})
}

// TestPush_BehindALineOfTheFuture_Rings uses a ready list whose first entry is due in an hour, as
// after Redis's clock was set back.
func TestPush_BehindALineOfTheFuture_Rings(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		k := keyspace{w.prefix}.shard("q", 0)
		ctx := t.Context()
		w.rdb.RPush(ctx, k.ready, fmt.Sprintf("%d;future", time.Now().Add(time.Hour).UnixMilli()))
		w.rdb.HSet(ctx, k.jobs, "future", "!0;1;x")
		opt := w.rare()
		s := w.serve(opt, Worker{Queue: "q", Shards: 1, Handle: blank})
		until(t, "the server has looked at the line", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			own := s.queues[0].shards[0].owned
			return own != nil && own.open && own.nextDue > time.Now().UnixMilli() && !own.fetching
		})
		w.push(Job{Key: "k"})
		until(t, "the job has run", func() bool { return w.stats().Processed == 1 })
	})
}
