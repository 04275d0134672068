package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

func TestReshardRefusesNonsense(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "k"})
		a := w.client().Admin()
		for _, n := range []int{0, -1, MaxShards + 1} {
			if err := a.Reshard(t.Context(), "q", n); !errors.Is(err, ErrShardCount) {
				t.Errorf("Reshard to %d = %v, want ErrShardCount", n, err)
			}
		}
		if err := a.Reshard(t.Context(), "none", 3); !errors.Is(err, ErrUnknownQueue) {
			t.Errorf("Reshard of a queue never seen = %v, want ErrUnknownQueue", err)
		}
		if err := a.Reshard(t.Context(), "q", 2); err != nil {
			t.Fatal(err)
		}
		if err := a.Reshard(t.Context(), "q", 3); !errors.Is(err, ErrResharding) {
			t.Errorf("second Reshard with a key left = %v, want ErrResharding", err)
		}
	})
}

// TestAKeyStaysInItsOldShardUntilItHasNothingThere follows a waiting key and a new one through a
// change of shards.
func TestAKeyStaysInItsOldShardUntilItHasNothingThere(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		stale := w.client() // with the old layout
		w.push(Job{Key: "old", Payload: []byte("1"), Score: 1, RunAt: time.Now().Add(time.Hour)})
		later := time.Now().Add(time.Hour)
		if err := stale.Push(t.Context(), Job{Queue: "q", Key: "other", RunAt: later}); err != nil {
			t.Fatal(err)
		}
		a := w.client().Admin()
		if err := a.Reshard(t.Context(), "q", 3); err != nil {
			t.Fatal(err)
		}
		err := stale.Push(t.Context(), Job{Queue: "q", Key: "old", Payload: []byte("2"), Score: 2},
			Job{Queue: "q", Key: "new", RunAt: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		st, err := a.Stats(t.Context(), "q")
		if err != nil || !st.Resharding || len(st.Shards) != 8 || st.Length != 3 {
			t.Fatalf("stats = %+v, %v, want eight shards and three keys", st, err)
		}
		at := func(key string) (old, latest int64) {
			return st.Shards[shardOf(key, 5)].Length, st.Shards[5+shardOf(key, 3)].Length
		}
		if old, _ := at("old"); old == 0 {
			t.Error("the waiting key is not where it was")
		}
		if _, latest := at("new"); latest == 0 {
			t.Error("the new key is not in a new shard")
		}
		if _, err := a.PerformAllNow(t.Context(), "q"); err != nil {
			t.Fatal(err)
		}
		var got seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			if b.Deliveries[0].Key == "old" {
				got.note(b)
			}
			return nil
		}})
		until(t, "through", func() bool {
			st, err := a.Stats(t.Context(), "q")
			return err == nil && !st.Resharding && st.Processed == 4 && len(st.Shards) == 3
		})
		if got := got.get(); len(got) != 1 || got[0] != "old:12 -1" {
			t.Errorf("the old key ran as %v, want both payloads in order", got)
		}
	})
}

func TestTheMorgueMovesWithTheShards(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i := range 20 {
			w.push(Job{Key: fmt.Sprint(i), Payload: []byte("p"), Score: 3})
		}
		worker := Worker{
			Queue: "q", MaxRetries: NoRetries,
			Handle: func(context.Context, *Batch) error { return errors.New("no") },
		}
		s := w.serve(w.quick(), worker)
		until(t, "dead", func() bool { return w.stats().MorgueLength == 20 })
		s.Stop()
		a := w.client().Admin()
		if err := a.Reshard(t.Context(), "q", 2); err != nil {
			t.Fatal(err)
		}
		if n, err := a.RequeueMorgue(t.Context(), "q", "7"); n != 1 || err != nil {
			t.Errorf("requeue on the move = %d, %v, want 1", n, err)
		}
		s = w.serve(w.quick(), worker)
		until(t, "through", func() bool {
			st, err := a.Stats(t.Context(), "q")
			return err == nil && !st.Resharding && st.MorgueLength == 20 && st.Failed == 21
		})
		s.Stop()
		if n, err := a.RequeueAllMorgue(t.Context(), "q"); n != 20 || err != nil {
			t.Errorf("requeue all = %d, %v, want 20", n, err)
		}
		wantNoMetaBut(t, w, "due", "jobs", "redeliveries")
	})
}

// TestOrderHoldsThroughResharding changes the shards repeatedly while producers push, handlers
// fail, and a node loses its connection.
func TestOrderHoldsThroughResharding(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		rnd := rand.New(rand.NewPCG(seed, 2))
		const producers, keys, each = 3, 8, 40
		h := &history{t: t, running: make(map[string]bool), runs: make(map[string][]run)}
		worker := h.worker()
		wires := make([]*wire, 2)
		opt := w.quick()
		opt.Lease, opt.Poll, opt.Log = time.Second, 50*time.Millisecond, nil
		for i := range wires {
			var node *world
			node, wires[i] = w.wired(1)
			node.serve(opt, worker)
		}
		var wg sync.WaitGroup
		for p := range producers {
			wg.Go(func() { produce(w, p, keys, each) })
		}
		a, changes := w.client().Admin(), 0
		for i := range 8 {
			time.Sleep(time.Duration(100+rnd.IntN(150)) * time.Millisecond)
			if err := a.Reshard(t.Context(), "q", 1+rnd.IntN(9)); err == nil {
				changes++
			} else if !errors.Is(err, ErrResharding) && !errors.Is(err, ErrUnknownQueue) {
				t.Error(err)
			}
			if i == 4 {
				wires[0].sever()
			}
		}
		wires[0].mend()
		wg.Wait()
		until(t, "all settled", func() bool { st := w.stats(); return st.Length+st.Busy == 0 })
		h.verify(seed, producers, keys, each)
		if changes == 0 {
			t.Error("the shards never changed")
		}
	})
}
