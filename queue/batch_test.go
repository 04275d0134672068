package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// TestHandler_ThatFailsForOneKey_RunsOnlyTheUnresolvedAgain resolves the successful deliveries
// before it returns an error.
func TestHandler_ThatFailsForOneKey_RunsOnlyTheUnresolvedAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var runs, left seen
		c := w.client(Spec{"q", 1})
		var list []Job
		for i, p := range []string{"a1", "a2", "b1", "b2", "b3", "c1"} {
			list = append(list, Job{Queue: "q", Key: p[:1], Payload: []byte(p), Score: float64(i + 1)})
		}
		if err := c.Push(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
		w.serve(w.quick(), Worker{
			Queue: "q", BatchSize: 10, RetryIn: func(int) time.Duration { return time.Millisecond },
			Handle: func(_ context.Context, b *Batch) error {
				first := runs.len() == 0
				for _, d := range b.Deliveries {
					runs.add("%s %d", d.Payload, d.RetryCount)
					if p := string(d.Payload); first && (p == "a1" || p == "a2" || p == "b1") {
						d.Resolve(Outcome{Kind: Done})
					}
				}
				if !first {
					return nil
				}
				for _, d := range b.Unresolved() {
					left.add("%s", d.Payload)
				}
				return errors.New("no")
			},
		})
		until(t, "all are done", func() bool { return w.stats().Processed == 6 })
		if got := left.get(); !slices.Equal(got, []string{"b2", "b3", "c1"}) {
			t.Errorf("unresolved: %q", got)
		}
		reruns := runs.get()[6:]
		slices.Sort(reruns)
		if want := []string{"b2 0", "b3 -1", "c1 0"}; !slices.Equal(reruns, want) {
			t.Errorf("ran again: %q, want %q", reruns, want)
		}
	})
}

// TestHandler_ThatChangesItsDeliveries_EndsEachPayload deletes from the slice and reorders it, for
// one key and for several.
func TestHandler_ThatChangesItsDeliveries_EndsEachPayload(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i, payloads := range [][]string{{"a1", "a2", "a3"}, {"a1", "a2", "b1", "b2"}} {
			var list []Job
			for n, p := range payloads {
				list = append(list, Job{Queue: "q", Key: p[:1], Payload: []byte(p), Score: float64(n + 1)})
			}
			if err := w.client(Spec{"q", 1}).Push(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
			before := w.stats().Processed
			s := w.serve(w.quick(), Worker{
				Queue: "q", BatchSize: 10,
				Handle: func(_ context.Context, b *Batch) error {
					slices.Reverse(b.Deliveries)
					b.Deliveries = slices.DeleteFunc(b.Deliveries, func(d *Delivery) bool { return d.Score > 1 })
					return nil
				},
			})
			until(t, "all are done", func() bool { return w.stats().Processed == before+int64(len(payloads)) })
			s.Stop()
			if st := w.stats(); st.Length+st.Busy+st.MorgueLength != 0 {
				t.Errorf("case %d: %+v", i, st)
			}
		}
	})
}

// TestNewBatch_InATest_EndsLikeThatOfAServer holds and releases a batch of two keys, and ends it
// with an error.
func TestNewBatch_InATest_EndsLikeThatOfAServer(t *testing.T) {
	t.Parallel()
	list := []*Delivery{{Key: "a", RetryCount: -1}, {Key: "b", RetryCount: 24}, {Key: "b", RetryCount: -1}}
	b := NewBatch("q", list...)
	release := b.Hold()
	release()
	list[0].Resolve(Outcome{Kind: Done})
	Worker{}.End(b, errors.New("no"), time.Now())
	got := ""
	for _, d := range list {
		o, _ := d.Outcome()
		got += fmt.Sprint(o.Kind, " ")
	}
	if got != "done dead return " {
		t.Errorf("outcomes: %s", got)
	}
}

// TestStart_OnAClientWithoutTimeouts_IsRefused tries clients that ignore deadlines.
func TestStart_OnAClientWithoutTimeouts_IsRefused(t *testing.T) {
	t.Parallel()
	for _, rdb := range []redis.UniversalClient{
		redis.NewClient(&redis.Options{Addr: shared.addr}),
		redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{shared.addr}}),
	} {
		s := NewServer(rdb, ServerOptions{}, Worker{Queue: "q", Handle: blank})
		if err := s.Start(t.Context()); !errors.Is(err, ErrNoTimeouts) {
			t.Errorf("Start on %T: %v", rdb, err)
		}
		s.Stop()
		_ = rdb.Close()
	}
}
