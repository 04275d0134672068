package queue

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestLostWrites_OfARedisThatGoesOn_AreReported restores an earlier state of the shard, and then an
// earlier report of the node. The server reports both losses, and the first only once.
func TestLostWrites_OfARedisThatGoesOn_AreReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var lost atomic.Int64
	opt := w.quick()
	opt.Lease, opt.LostWrites = 10*time.Second, func() { lost.Add(1) }
	s := w.serve(opt, Worker{Queue: "q", Shards: 1, Handle: blank})
	w.client(Spec{"q", 1})
	run := func(n int64) {
		t.Helper()
		w.push(Job{Key: "k"})
		until(t, "the job has run", func() bool { return w.stats().Processed == n })
	}
	run(1)
	image := w.snapshot()
	run(2)
	run(3)
	w.goBack(image)
	until(t, "the loss of deliveries is reported", func() bool { return lost.Load() == 1 })
	run(2)
	run(3)
	kick(s.keepKick) // a heartbeat
	node := keyspace{w.prefix}.node(s.opt.Node)
	var old string
	until(t, "a heartbeat replaces the report", func() bool {
		now := w.rdb.Get(t.Context(), node).Val()
		if old == "" {
			old = now
			kick(s.keepKick)
		}
		return now != old
	})
	if n := lost.Load(); n != 1 {
		t.Fatalf("%d losses reported, want one", n)
	}
	until(t, "the loss of a report is reported", func() bool { // a heartbeat on its way replaces it
		w.rdb.Set(context.Background(), node, old, time.Minute)
		kick(s.keepKick)
		return lost.Load() >= 2
	})
}
