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

// history is the record of what the handlers of all nodes do with each key.
type history struct {
	t       *testing.T
	mu      sync.Mutex
	running map[string]bool
	runs    map[string][]run
}

type run struct {
	score        float64
	redeliveries int
}

func (h *history) enter(b *Batch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, list := range b.Keys() {
		if h.running[key] {
			h.t.Errorf("key %s runs twice at once", key)
		}
		h.running[key] = true
		for _, d := range list {
			h.runs[key] = append(h.runs[key], run{d.Score, d.Redelivered})
		}
	}
}

func (h *history) leave(b *Batch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key := range b.Keys() {
		delete(h.running, key)
	}
}

// first returns how many payloads of a key ran, and whether each ran for the first
// time only after all before it.
func (h *history) first(key string) (n int, ordered bool) {
	seen := make(map[float64]bool)
	last := -1.0
	for _, r := range h.runs[key] {
		if seen[r.score] {
			continue
		}
		seen[r.score] = true
		if r.score < last {
			return len(seen), false
		}
		last = r.score
	}
	return len(seen), true
}

// worker returns a worker that fails now and then.
func (h *history) worker() Worker {
	return Worker{
		Queue: "q", BatchSize: 3, MaxRetries: 1000, MaxCrashes: -1, // a slow machine loses more leases
		RetryIn: func(int) time.Duration { return time.Duration(rand.IntN(8)) * time.Millisecond },
		Handle: func(ctx context.Context, b *Batch) error {
			h.enter(b)
			defer h.leave(b)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Duration(rand.IntN(3)) * time.Millisecond):
			}
			if rand.IntN(8) == 0 {
				return errors.New("now and then")
			}
			return nil
		},
	}
}

// verify checks that every payload ran, each key in order.
func (h *history) verify(seed uint64, producers, keys, each int) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range producers {
		for k := range keys {
			key := fmt.Sprintf("%d.%d", p, k)
			if n, ordered := h.first(key); n != each || !ordered {
				h.t.Errorf("seed %d: key %s: %d of %d payloads, ordered %v: %v",
					seed, key, n, each, ordered, h.runs[key])
			}
		}
	}
}

// TestOrderAndExclusion runs many producers and three nodes that lose connections and leases at
// random. No key may run twice at once or out of order, and no payload may be lost.
func TestOrderAndExclusion(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		const producers, keys, each = 5, 12, 40
		h := &history{t: t, running: make(map[string]bool), runs: make(map[string][]run)}
		worker := h.worker()
		wires := make([]*wire, 3)
		opt := w.quick()
		opt.Lease, opt.Poll = 700*time.Millisecond, 50*time.Millisecond
		opt.Log = nil
		for i := range wires {
			var node *world
			node, wires[i] = w.wired(1)
			node.serve(opt, worker)
		}
		var wg sync.WaitGroup
		for p := range producers {
			wg.Go(func() { produce(w, p, keys, each) })
		}
		disturb(t, w, wires, rand.New(rand.NewPCG(seed, 1)))
		wg.Wait()
		until(t, "all settled", func() bool { st := w.stats(); return st.Length+st.Busy == 0 })
		h.verify(seed, producers, keys, each)
	})
}

// produce pushes the payloads of its own keys in the order of their scores.
func produce(w *world, p, keys, each int) {
	for i := range each {
		var jobs []Job
		for k := range keys {
			jobs = append(jobs, Job{
				Key: fmt.Sprintf("%d.%d", p, k), Payload: fmt.Append(nil, i), Score: float64(i),
			})
		}
		w.push(jobs...)
		time.Sleep(40 * time.Millisecond) // spreads the pushes over the faults
	}
}

// disturb cuts a node off for up to a second, or deletes the lease of a shard, seven times.
func disturb(t *testing.T, w *world, wires []*wire, rnd *rand.Rand) {
	for range 7 {
		time.Sleep(time.Duration(rnd.IntN(100)) * time.Millisecond)
		if rnd.IntN(2) == 0 {
			sh := keyspace{w.prefix}.shard("q", rnd.IntN(5))
			w.rdb.Del(t.Context(), sh.lease)
			continue
		}
		victim := wires[rnd.IntN(len(wires))]
		victim.sever()
		time.Sleep(time.Duration(100+rnd.IntN(900)) * time.Millisecond)
		victim.mend()
	}
}
