package queue

import (
	"bytes"
	"fmt"
	"testing"
)

// TestPayload_OfAnySize_ComesBackWhole sends payloads up to the limit through the
// scripts that read what waits: fetch, suspect, drop and requeue.
func TestPayload_OfAnySize_ComesBackWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for _, size := range []int{1, 5_000, 50_000, MaxPayloadBytes} {
			t.Run(fmt.Sprint(size), func(t *testing.T) {
				own := *w
				own.prefix = fmt.Sprint(w.prefix, "-", size)
				testSize(t, &own, bytes.Repeat([]byte{'x'}, size))
			})
		}
	})
}

func testSize(t *testing.T, w *world, payload []byte) {
	h := byHand(t, w, Job{Key: "k", Payload: payload})
	one := func(when string) *unit {
		t.Helper()
		units := h.fetch(1)
		if len(units) != 1 || !bytes.Equal(units[0].list[0].Payload, payload) {
			t.Fatalf("%s: %d keys fetched, or another payload", when, len(units))
		}
		return units[0]
	}
	u := one("fresh")
	u.fears = 0
	if !h.s.countStart(t.Context(), u) {
		t.Error("its start cannot be counted")
	}
	h.settle(u, Outcome{Kind: Retry})
	a := w.client(Spec{"one", 1}).Admin()
	if n, err := a.Kill(t.Context(), "one", "k"); n != 1 || err != nil {
		t.Fatalf("%d killed, %v", n, err)
	}
	if n, err := a.RequeueMorgue(t.Context(), "one", "k"); n != 1 || err != nil {
		t.Fatalf("%d requeued, %v", n, err)
	}
	h.settle(one("requeued"), Outcome{Kind: Done})
}
