package queue

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStranded_KeysInNoList_AreNamedAndRunAgain breaks Redis in four ways that leave a key with
// payloads in no list.
func TestStranded_KeysInNoList_AreNamedAndRunAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		h := byHand(t, w, jobs("flying/a", "flying too/a", "back/a")...)
		h.fetch(3)
		c, ctx := w.client(Spec{"one", 1}), t.Context()
		later := jobs("later/a", "off due/a")
		later[0].RunAt, later[1].RunAt = time.Now().Add(time.Hour), time.Now().Add(time.Hour)
		list := jobs("flying/b", "flying too/b", "back/b", "line/a", "off line/a", "off line/b", "line too/a")
		if err := c.Push(ctx, append(list, later...)...); err != nil {
			t.Fatal(err)
		}
		if got, err := strandedKeys(ctx, c.Admin(), "one"); len(got) > 0 || err != nil {
			t.Fatalf("stranded before anything is broken: %q, %v", got, err)
		}
		k := h.own.shard.keys
		w.rdb.HDel(ctx, k.wait, "flying") // nothing makes the key due after its delivery
		w.rdb.HDel(ctx, k.busy, "back")   // the key waits for the end of a delivery that no longer exists
		w.rdb.ZRem(ctx, k.due, "off due") // like a fetch that dies after ZREMRANGEBYRANK
		for _, entry := range w.rdb.LRange(ctx, k.ready, 0, -1).Val() {
			if strings.HasSuffix(entry, ";off line") { // like a fetch that dies after LTRIM
				w.rdb.LRem(ctx, k.ready, 1, entry)
			}
		}
		want := []string{"back", "flying", "off due", "off line"}
		got, err := strandedKeys(ctx, c.Admin(), "one")
		if slices.Sort(got); cmp.Diff(want, got) != "" || err != nil {
			t.Errorf("stranded: %q, %v, want %q", got, err, want)
		}
		names := []string{"back", "flying", "flying too", "later", "line", "line too", "off due", "off line", "none"}
		if n, err := c.Admin().Relist(ctx, "one", names...); n != 4 || err != nil {
			t.Errorf("%d listed again, %v, want 4", n, err)
		}
		if got, err := strandedKeys(ctx, c.Admin(), "one"); len(got) > 0 || err != nil {
			t.Errorf("still stranded: %q, %v", got, err)
		}
		w.rdb.Del(ctx, k.lease)
		var ran seen
		w.serve(w.quick(), Worker{Queue: "one", Shards: 1, Handle: func(_ context.Context, b *Batch) error {
			for _, d := range b.Deliveries {
				ran.add("%s/%s %d", d.Key, d.Payload, d.Redelivered)
			}
			return nil
		}})
		until(t, "all but the later one have run", func() bool {
			st, err := c.Stats(ctx, "one")
			return err == nil && st.Length == 1 && st.Busy == 0
		})
		all := ran.get()
		slices.Sort(all)
		if d := cmp.Diff([]string{
			"back/b 1", "flying too/a 1", "flying too/b 1", "flying/a 1", "flying/b 1", "line too/a 0", "line/a 0",
			"off due/a 1", "off line/a 1", "off line/b 1",
		}, all); d != "" {
			t.Error(d)
		}
	})
}

// TestStranded_WhileKeysComeAndGo_RaisesNoFalseAlarm checks while keys come and go.
func TestStranded_WhileKeysComeAndGo_RaisesNoFalseAlarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve(w.quick(), Worker{Queue: "q", Handle: blank})
	a, ended := w.client().Admin(), make(chan error, 1)
	go func() {
		c := w.client()
		for range 60 {
			var list []Job
			for i := range 300 {
				list = append(list, Job{Queue: "q", Key: string(rune('a' + i%250))})
			}
			if err := c.Push(context.Background(), list...); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for {
		if list, err := strandedKeys(t.Context(), a, "q"); len(list) > 0 || err != nil {
			t.Fatalf("stranded: %q, %v", list, err)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}
