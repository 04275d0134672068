//go:build all

package queue

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// TestAClusterLosesAMasterAndMovesASlot kills a master under load, brings it back, and then moves
// the slot of each shard to another master.
func TestAClusterLosesAMasterAndMovesASlot(t *testing.T) {
	t.Parallel()
	list, w := privateCluster(t)
	var got seen
	opt := w.quick()
	opt.Lease = 10 * time.Second // a node acquires no lost shard while the list of nodes is unreachable
	w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		time.Sleep(2 * time.Millisecond)
		got.add("%s", b.Deliveries[0].Key)
		return nil
	}})
	for i := range 500 {
		w.push(Job{Key: fmt.Sprint(i)})
	}
	until(t, "some run", func() bool { return got.len() > 50 })
	c := w.client()
	if err := c.Push(t.Context(), Job{Queue: "q", Key: "0"}); err != nil {
		t.Fatal(err)
	}
	list[1].kill()
	want := 501
	for i := range 40 {
		if job := (Job{Queue: "q", Key: fmt.Sprint("b", i)}); w.masterOf(job.Key, 3) != 1 {
			w.patient(func() error { return c.Push(t.Context(), job) })
			want++
			until(t, "the others go on", func() bool { return slices.Contains(got.get(), job.Key) })
		}
	}
	if err := list[1].start(); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		moveSlot(t, w, list, w.client().keys.shard("q", i).due)
	}
	w.patient(func() error {
		return w.client().Push(t.Context(), Job{Queue: "q", Key: "last"})
	})
	w.patient(func() error {
		st, err := w.client().Stats(t.Context(), "q")
		if err == nil && st.Length+st.Busy > 0 {
			err = fmt.Errorf("not all settled: %+v", st)
		}
		return err
	})
	all := make(map[string]bool)
	for _, key := range got.get() {
		all[key] = true
	}
	if len(all) != want {
		t.Errorf("%d keys of %d ran", len(all), want)
	}
}

// masterOf returns which of n masters had the shard of a key at first.
func (w *world) masterOf(key string, n int) int {
	due := w.client().keys.shard("q", shardOf(key, defaultShards)).due
	return int(w.rdb.ClusterKeySlot(w.t.Context(), due).Val()) * n / clusterSlots
}

// patient tries until f succeeds, at most two minutes.
func (w *world) patient(f func() error) {
	w.t.Helper()
	var err error
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		if err = f(); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Fatal(err)
}

// moveSlot moves the slot of a key to the next master, key by key.
func moveSlot(t *testing.T, w *world, list []*realRedis, key string) {
	t.Helper()
	slot := int(w.rdb.ClusterKeySlot(t.Context(), key).Val())
	from := slot * len(list) / clusterSlots
	to := (from + 1) % len(list)
	a, b := dial(t, list[from].addr), dial(t, list[to].addr)
	id := func(rdb *redis.Client) string { return rdb.Do(t.Context(), "cluster", "myid").String() }
	ida, idb := strings.Fields(id(a))[2], strings.Fields(id(b))[2]
	do := func(rdb *redis.Client, args ...any) {
		w.patient(func() error { return rdb.Do(t.Context(), args...).Err() })
	}
	do(b, "cluster", "setslot", slot, "importing", ida)
	do(a, "cluster", "setslot", slot, "migrating", idb)
	host, port, _ := net.SplitHostPort(list[to].addr)
	for {
		keys := a.ClusterGetKeysInSlot(t.Context(), slot, 100).Val()
		if len(keys) == 0 {
			break
		}
		for _, k := range keys {
			do(a, "migrate", host, port, k, 0, 1000)
		}
	}
	do(b, "cluster", "setslot", slot, "node", idb)
	do(a, "cluster", "setslot", slot, "node", idb)
}
