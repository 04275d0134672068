package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// dumpAll returns the keys of a pattern, each followed by its DUMP, at one moment.
var dumpAll = redis.NewScript(`
local image = {}
for _, key in ipairs(redis.call("KEYS", ARGV[1])) do
  image[#image + 1] = key
  image[#image + 1] = redis.call("DUMP", key)
end
return image`)

// snapshot copies every key of the shards at one moment. Redis loses only its last writes. A copy
// that was read key by key could lack a write and have a later one, a state that Redis never has.
func (w *world) snapshot() map[string]string {
	w.t.Helper()
	list, err := dumpAll.Run(w.t.Context(), w.rdb, nil, w.prefix+":{*").StringSlice()
	if err != nil {
		w.t.Fatal(err)
	}
	image := make(map[string]string)
	for i := 0; i+1 < len(list); i += 2 {
		image[list[i]] = list[i+1]
	}
	return image
}

// goBack restores the shards from a snapshot, like a failover that loses the last writes.
func (w *world) goBack(image map[string]string) {
	w.t.Helper()
	_, err := w.rdb.TxPipelined(w.t.Context(), func(pipe redis.Pipeliner) error {
		for _, key := range w.everyKey(":{*") {
			if image[key] == "" {
				pipe.Del(w.t.Context(), key)
			}
		}
		for key, value := range image {
			ttl := time.Duration(0)
			if strings.HasSuffix(key, "}:lease") {
				ttl = time.Minute
			}
			pipe.RestoreReplace(w.t.Context(), key, ttl, value)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// rest pauses the queue, and returns when the server has seen it.
func rest(t *testing.T, w *world, s *Server) {
	t.Helper()
	if err := w.client().Admin().Pause(t.Context(), "q"); err != nil {
		t.Fatal(err)
	}
	until(t, "the server has seen the pause", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.queues[0].layout.paused
	})
}

// TestARedisThatLostItsLastWrites restores an earlier state of Redis, in which jobs that have ended
// still wait or are in flight. They run again, marked as redelivered.
func TestARedisThatLostItsLastWrites(t *testing.T) {
	t.Parallel()
	for _, flying := range []bool{false, true} {
		t.Run(fmt.Sprintf("in flight %v", flying), func(t *testing.T) {
			t.Parallel()
			testLostWrites(t, flying)
		})
	}
}

func testLostWrites(t *testing.T, flying bool) {
	w := newWorld(t)
	c := w.client(Spec{"q", 1})
	push := func(jobs ...Job) {
		if err := c.Push(t.Context(), jobs...); err != nil {
			t.Error(err)
		}
	}
	var got seen
	image := make(chan map[string]string, 1)
	opt := w.quick()
	opt.Lease = time.Minute // the node must find out by what it fetches
	s := w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		if d := b.Deliveries[0]; flying && d.Key == "0" && d.Redelivered == 0 {
			image <- w.snapshot()
		}
		got.add("%s%d", b.Deliveries[0].Key, b.Deliveries[0].Redelivered)
		return nil
	}})
	push(Job{Queue: "q", Key: "first"})
	until(t, "the first ends", func() bool { return w.stats().Processed == 1 })
	rest(t, w, s)
	push(Job{Queue: "q", Key: "0"}, Job{Queue: "q", Key: "1"})
	if !flying {
		image <- w.snapshot()
	}
	if err := c.Admin().Resume(t.Context(), "q"); err != nil {
		t.Fatal(err)
	}
	until(t, "both end", func() bool { return w.stats().Processed == 3 })
	w.goBack(<-image)
	push(Job{Queue: "q", Key: "last"})
	until(t, "it ran again", func() bool { return slices.Contains(got.get(), "01") })
	until(t, "nothing is left", func() bool { st := w.stats(); return st.Length+st.Busy == 0 })
	for _, run := range got.get()[3:] {
		if run != "01" && run != "11" && !strings.HasPrefix(run, "last") {
			t.Errorf("%s ran unmarked after Redis lost its end", run)
		}
	}
}
