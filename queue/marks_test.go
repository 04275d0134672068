package queue

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// manyOf returns n jobs of one key, in the order of their scores.
func manyOf(key string, n int) (list []Job) {
	for i := range n {
		list = append(list, Job{Queue: "one", Key: key, Payload: fmt.Appendf(nil, "%04d", i), Score: float64(i + 1)})
	}
	return list
}

// TestMarks_OfAKeyTakenInSlices_StayUntilAllIsSettled ends a node with 600 payloads of one key, of
// which a fetch takes 500.
func TestMarks_OfAKeyTakenInSlices_StayUntilAllIsSettled(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, manyOf("k", 600)...)
		u := h.fetch(1)[0]
		if len(u.list) != 500 || u.list[0].Redelivered != 0 {
			t.Fatalf("fetched %d payloads, redelivered %d", len(u.list), u.list[0].Redelivered)
		}
		h.dies()
		for n := 0; n < 500; {
			for _, u := range h.fetch(10) {
				for _, d := range u.list {
					if n++; n <= 500 && d.Redelivered == 0 {
						t.Fatalf("payload %s comes without the mark", d.Payload)
					}
				}
				h.settle(u, Outcome{Kind: Done})
			}
		}
		for units := h.fetch(10); len(units) > 0; units = h.fetch(10) {
			h.settle(units[0], Outcome{Kind: Done})
		}
		wantNoMeta(t, w)
	})
}

// dies has another node take over, and restore the jobs in flight.
func (h *hand) dies() {
	h.t.Helper()
	ctx := h.t.Context()
	if err := h.s.acquire(ctx, h.s.queues[0].shards); err != nil {
		h.t.Fatal(err)
	}
	h.own = h.s.queues[0].shards[0].owned
	if _, _, err := h.s.restore(ctx, h.own, 1, time.Now().Add(time.Hour)); err != nil {
		h.t.Fatal(err)
	}
}

// starts counts the start of a suspect as a node does before its handler runs.
func (h *hand) starts(u *inflightKey) {
	h.t.Helper()
	if !h.s.countStart(h.t.Context(), u) {
		h.t.Fatal("a suspect does not start")
	}
}

// TestSuspect_KeyOfManyPayloads_ComesOneAtATime crashes with three payloads of a key in flight,
// then with the second of them alone, after another was pushed before it.
func TestSuspect_KeyOfManyPayloads_ComesOneAtATime(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, manyOf("k", 3)...)
		h.fetch(1)
		h.dies()
		next := func(payload string, crashes int) *inflightKey {
			t.Helper()
			units := h.fetch(10)
			if len(units) != 1 || len(units[0].list) != 1 || string(units[0].list[0].Payload) != payload || units[0].crashes != crashes {
				t.Fatalf("fetched %+v, want %s alone with %d starts", units, payload, crashes)
			}
			return units[0]
		}
		u := next("0000", 0)
		h.starts(u)
		h.settle(u, Outcome{Kind: Done})
		for n := range 2 {
			u = next("0001", n)
			h.starts(u)
			h.dies()
		}
		c := w.client(Spec{"one", 1})
		early := Job{Queue: "one", Key: "k", Payload: []byte("early"), Score: -1}
		if err := c.Push(t.Context(), early, manyOf("k", 4)[3]); err != nil {
			t.Fatal(err)
		}
		h.settle(next("early", -1), Outcome{Kind: Done})
		h.settle(next("0001", 2), Outcome{Kind: Dead})
		h.settle(next("0002", 0), Outcome{Kind: Done})
		h.settle(next("0003", -1), Outcome{Kind: Done})
		wantNoMetaBut(t, w, "morgue", "dead_errors", "m:k")
	})
}

// TestSuspect_AmongOthersOfItsKey_IsTheOnlyOneDead lets the second of three payloads of a key
// crash each of its nodes.
func TestSuspect_AmongOthersOfItsKey_IsTheOnlyOneDead(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var got, dead seen
		down := make(chan struct{}, 1)
		worker := Worker{Queue: "q", MaxCrashes: 2, Handle: func(ctx context.Context, b *Batch) error {
			for _, d := range b.Deliveries {
				if string(d.Payload) == "exit" {
					down <- struct{}{}
					<-ctx.Done() // the process is no more
					return ctx.Err()
				}
			}
			got.note(b)
			return nil
		}, Exhausted: func(_ context.Context, list []DeadJob) {
			for _, d := range list {
				dead.add("%s %v", d.Payload, d.Crashed)
			}
		}}
		w.push(Job{Key: "k", Payload: []byte("ok1"), Score: 1}, Job{Key: "k", Payload: []byte("exit"), Score: 2},
			Job{Key: "k", Payload: []byte("ok2"), Score: 3})
		for range 3 {
			node, net := w.wired(-1)
			opt := node.quick()
			opt.Log = nil
			node.serve(opt, worker)
			<-down
			crash(w, net)
		}
		w.serve(w.quick(), worker)
		until(t, "all but the poison are done", func() bool {
			st := w.stats()
			return st.Processed == 2 && st.Length+st.Busy == 0 && dead.len() == 1
		})
		if list := dead.get(); !slices.Equal(list, []string{"exit true"}) {
			t.Errorf("dead: %q, want the poison alone", list)
		}
		wantNoMetaBut(t, w, "morgue", "dead_errors", "m:k")
	})
}

// TestFetch_OfLargePayloads_HoldsItsBoundInBytes uses keys of all sizes, most of them large. A
// fetch returns at most the bound and one payload.
func TestFetch_OfLargePayloads_HoldsItsBoundInBytes(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w)
		c := w.client(Spec{"one", 1})
		now := time.Now().Add(-time.Second)
		for i := range 24 {
			large := func(n int) []byte { return fmt.Appendf(make([]byte, 120<<10), "%d-%d", i, n) }
			list := []Job{{Queue: "one", Key: fmt.Sprint("small", i), RunAt: now}}
			list = append(list, Job{Queue: "one", Key: fmt.Sprint("large", i), Payload: large(0), RunAt: now})
			for n := range 5 * (i % 2) {
				list = append(list, Job{Queue: "one", Key: fmt.Sprint("many", i), Payload: large(n), RunAt: now})
			}
			if err := c.Push(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
		}
		payloads := 0
		for units := h.fetch(fetchKeys); len(units) > 0; units = h.fetch(fetchKeys) {
			bytes := 0
			for _, u := range units {
				for _, d := range u.list {
					payloads, bytes = payloads+1, bytes+len(d.Payload)
				}
				h.settle(u, Outcome{Kind: Done})
			}
			if bytes > fetchBytes+MaxPayloadBytes {
				t.Errorf("a fetch has returned %d bytes", bytes)
			}
		}
		if payloads != 24*2+12*5 {
			t.Errorf("fetched %d payloads", payloads)
		}
	})
}
