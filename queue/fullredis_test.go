package queue

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// fullWorld returns a world on a Redis of the test alone. The function `fill` fills the Redis.
func fullWorld(t *testing.T) (w *world, fill func()) {
	t.Helper()
	_, rdb := privateRedis(t)
	return worldAt(t, "p", rdb.Options().Addr), func() {
		t.Helper()
		if err := rdb.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullRedis_WorkersThatTakeOver_WorkItOff fills Redis while keys are in flight, ends their
// node, and starts others, one of which ends during its work.
func TestFullRedis_WorkersThatTakeOver_WorkItOff(t *testing.T) {
	t.Parallel()
	w, fill := fullWorld(t)
	for i := range 300 {
		w.push(Job{Key: fmt.Sprint(i % 100), Payload: fmt.Append(nil, i), Score: float64(i)})
	}
	var began atomic.Int32
	opt := w.quick()
	opt.Lease = 3 * time.Second // the heirs wait for its end
	first := w.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
		began.Add(1)
		<-ctx.Done()
		return context.Cause(ctx)
	}})
	until(t, "some are in flight", func() bool { return began.Load() > 4 })
	fill()
	first.Abandon()
	seen := &history{t: t, running: map[string]bool{}, runs: map[string][]run{}}
	handle := func(_ context.Context, b *Batch) error {
		seen.enter(b)
		defer seen.leave(b)
		if b.Deliveries[0].RetryCount < 0 && b.Deliveries[0].Key == "7" {
			return errors.New("once")
		}
		return nil
	}
	worker := Worker{Queue: "q", MaxCrashes: -1, RetryIn: func(int) time.Duration { return 0 }, Handle: handle}
	second := w.serve(opt, worker, Worker{Queue: "never seen", Handle: blank})
	until(t, "the second works", func() bool { return w.stats().Processed > 20 })
	second.Abandon()
	w.serve(w.quick(), worker)
	until(t, "all is worked off", func() bool { st := w.stats(); return st.Length+st.Busy == 0 })
	seen.mu.Lock()
	defer seen.mu.Unlock()
	for i := range 100 {
		if n, ordered := seen.first(fmt.Sprint(i)); n != 3 || !ordered {
			t.Errorf("key %d: %d payloads of 3 ran, in order: %t", i, n, ordered)
		}
	}
}

// TestFullRedis_OperatorsActs_AreTaken performs acts of an operator while Redis is full.
func TestFullRedis_OperatorsActs_AreTaken(t *testing.T) {
	t.Parallel()
	w, fill := fullWorld(t)
	later := time.Now().Add(time.Hour)
	for _, key := range []string{"kill", "delete", "now", "stays"} {
		w.push(Job{Key: key, RunAt: later}, Job{Key: key, Payload: []byte("2"), RunAt: later})
	}
	opt := w.quick()
	opt.Node = "node"
	var ran seen
	w.serve(opt, Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		ran.add("%s", b.Deliveries[0].Key)
		return nil
	}})
	fill()
	c := w.client()
	admin := c.Admin()
	nodes := func() int { list, _ := admin.Nodes(t.Context()); return len(list) }
	until(t, "the node is seen to live", func() bool { return nodes() == 1 })
	acts := map[string]func() (int, error){
		"pause":          func() (int, error) { return 1, admin.Pause(t.Context(), "q") },
		"resume":         func() (int, error) { return 1, admin.Resume(t.Context(), "q") },
		"drain":          func() (int, error) { return 1, admin.Drain(t.Context(), "other") },
		"set generation": func() (int, error) { return 1, c.SetGeneration(t.Context(), "mark") },
		"kill":           func() (int, error) { return admin.Kill(t.Context(), "q", "kill") },
		"delete":         func() (int, error) { return admin.Delete(t.Context(), "q", "delete") },
		"now":            func() (int, error) { return admin.PerformNow(t.Context(), "q", "now") },
		"discard":        func() (int, error) { return admin.DeleteMorgue(t.Context(), "q", "kill") },
	}
	for _, name := range []string{"pause", "resume", "drain", "set generation", "kill", "delete", "now", "discard"} {
		if n, err := acts[name](); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	until(t, "the key that was made due has run", func() bool { return ran.len() == 1 })
	if mark, err := c.Generation(t.Context()); mark != "mark" || err != nil {
		t.Errorf("mark %q, %v", mark, err)
	}
	if n, err := admin.PerformAllNow(t.Context(), "q"); n != 1 || err != nil {
		t.Errorf("perform all now: %d, %v", n, err)
	}
	until(t, "all is worked off", func() bool { st := w.stats(); return st.Length+st.Busy+st.MorgueLength == 0 })
	if err := c.Push(t.Context(), Job{Queue: "q", Key: "more"}); err == nil {
		t.Error("a full Redis took a job")
	}
}
