package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestLostReplies loses the reply to one script after Redis ran it, once with retries of go-redis
// and once without.
func TestLostReplies(t *testing.T) {
	t.Parallel()
	scripts := map[string]*script{
		"fetch": fetchScript, "ack": ackScript, "settle": settleScript,
		"acquire": acquireScript, "renew": renewScript,
	}
	for name, lost := range scripts {
		for _, retries := range []int{-1, 3} {
			t.Run(fmt.Sprintf("%s, %d retries", name, retries), func(t *testing.T) {
				t.Parallel()
				testLostReply(t, lost, retries)
			})
		}
	}
}

func testLostReply(t *testing.T, lost *script, retries int) {
	w := newWorld(t)
	// All scripts are called by digest, so that the wire can tell them apart.
	for _, s := range []*script{fetchScript, ackScript, settleScript, acquireScript, renewScript} {
		if err := w.rdb.ScriptLoad(t.Context(), s.src).Err(); err != nil {
			t.Fatal(err)
		}
	}
	own, net := w.wired(retries)
	var got seen
	net.loseReply(lost)
	w.push(Job{Key: "k", Payload: []byte("a")})
	own.serve(own.quick(), Worker{
		Queue: "q", RetryIn: func(int) time.Duration { return 5 * time.Millisecond },
		Handle: func(_ context.Context, b *Batch) error {
			d := b.Deliveries[0]
			got.add("%s %d %d", names(b.Deliveries), d.RetryCount, d.Redelivered)
			if d.RetryCount < 0 {
				return errors.New("once")
			}
			return nil
		},
	})
	until(t, "reply lost, job done", func() bool {
		return net.losses() > 0 && w.stats().Processed == 1
	})
	if d := cmp.Diff([]string{"a -1 0", "a 0 0"}, got.get()); d != "" {
		t.Error(d)
	}
	if st := w.stats(); st.Failed != 1 || st.Busy+st.Length != 0 {
		t.Errorf("stats = %+v, want one failure counted once and nothing left", st)
	}
}

// TestALostReplyToAPushDoublesNothing loses the reply to a push after Redis ran it. The caller gets
// an error, also if go-redis retries other commands, and pushes again.
func TestALostReplyToAPushDoublesNothing(t *testing.T) {
	t.Parallel()
	for _, retries := range []int{-1, 3} {
		w := newWorld(t)
		if err := w.rdb.ScriptLoad(t.Context(), pushScript.src).Err(); err != nil {
			t.Fatal(err)
		}
		own, net := w.wired(retries)
		job := Job{Queue: "q", Key: "k", Payload: []byte("a")}
		net.loseReply(pushScript)
		err := own.client().Push(t.Context(), job)
		if !errors.Is(err, ErrUnanswered) || net.losses() == 0 {
			t.Errorf("%d retries: %d replies lost, error %v", retries, net.losses(), err)
		}
		if err := own.client().Push(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		var got seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.add("%s %d", names(b.Deliveries), b.Deliveries[0].Redelivered)
			return nil
		}})
		until(t, "done", func() bool { return w.stats().Processed > 0 && w.stats().Length == 0 })
		if d := cmp.Diff([]string{"a 0"}, got.get()); d != "" {
			t.Errorf("%d retries: %s", retries, d)
		}
	}
}

func TestTakeoverKeepsOrderAndMarks(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		dying, net := w.wired(-1)
		opt := dying.quick()
		opt.Lease = 6 * time.Second // ends within the test, and outlasts a pause of the process
		started, cancelled := make(chan struct{}, 9), make(chan error, 9)
		hang := func(ctx context.Context, _ *Batch) error {
			started <- struct{}{}
			<-ctx.Done()
			cancelled <- context.Cause(ctx)
			return ctx.Err()
		}
		one := Worker{Queue: "one", Shards: 1, Handle: hang}
		dying.serve(opt, one)
		var jobs []Job
		for i, key := range []string{"e", "d", "c", "b", "a"} {
			jobs = append(jobs, Job{Queue: "one", Key: key, RunAt: time.UnixMilli(int64(1e12 + i))})
		}
		if err := w.client(Spec{"one", 1}).Push(t.Context(), jobs...); err != nil {
			t.Fatal(err)
		}
		for range jobs {
			<-started
		}
		net.sever()
		var got seen
		opt = w.rare()
		opt.Lease, opt.Concurrency = 10*time.Minute, 1 // the keys run in time only if the node waits for the end of the other lease
		one.Handle = func(_ context.Context, b *Batch) error {
			got.add("%s%d", b.Deliveries[0].Key, b.Deliveries[0].Redelivered)
			return nil
		}
		w.serve(opt, one)
		until(t, "taken over", func() bool { return got.len() == 5 })
		if d := cmp.Diff("e1 d1 c1 b1 a1", strings.Join(got.get(), " ")); d != "" {
			t.Error(d)
		}
		if err := <-cancelled; !errors.Is(err, ErrLeaseLost) {
			t.Errorf("the dying node's handler was cancelled with %v, want ErrLeaseLost", err)
		}
		net.mend()
	})
}

func TestALostLeaseNeverRunsAKeyTwiceAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var running, most atomic.Int32
		var got seen
		deaf := make(chan struct{})
		s := w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			got.add("%d", b.Deliveries[0].Redelivered)
			if got.len() == 1 {
				<-deaf
			}
			return nil
		}})
		w.push(Job{Key: "k"})
		until(t, "running", func() bool { return running.Load() == 1 })
		w.rdb.Del(t.Context(), s.keys.shard("q", shardOf("k", 5)).lease)
		until(t, "the key is back in hand and waits", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			own := s.queues[0].shards[shardOf("k", 5)].owned
			return own != nil && own.parked["k"] != nil
		})
		close(deaf)
		until(t, "run again", func() bool { return w.stats().Processed == 1 })
		if d := cmp.Diff("0 1", strings.Join(got.get(), " ")); d != "" || most.Load() != 1 {
			t.Errorf("%d at once; redelivered: %s", most.Load(), d)
		}
	})
}

func TestNodesShareTheShards(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		idle := Worker{Queue: "q", Handle: blank}
		opt := w.rare()
		opt.Lease = 10 * time.Minute // nothing but a message moves a shard within the test
		a := w.serve(opt, idle)
		until(t, "one node has all", func() bool { return a.subscribed.Load() && len(a.owned()) == 5 })
		b := w.serve(opt, idle)
		until(t, "two share", func() bool {
			return len(a.owned())+len(b.owned()) == 5 && len(b.owned()) >= 2 && len(a.owned()) >= 2
		})
		b.Stop()
		until(t, "the other has all again, at once", func() bool { return len(a.owned()) == 5 })
	})
}

func TestRebuiltJobsAreMarked(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "new"}, Job{Key: "old", Redelivered: true})
		var got seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
			got.add("%s%d", b.Deliveries[0].Key, b.Deliveries[0].Redelivered)
			return nil
		}})
		until(t, "both done", func() bool { return w.stats().Processed == 2 })
		all := got.get()
		slices.Sort(all)
		if d := cmp.Diff([]string{"new0", "old1"}, all); d != "" {
			t.Error(d)
		}
		wantNoMeta(t, w)
	})
}

func TestAWipedRedisIsRecoveredFrom(t *testing.T) {
	t.Parallel()
	_, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	var runs atomic.Int32
	hold := make(chan struct{})
	opt := w.quick()
	opt.Lease = time.Minute // the next script must notice, not a renewal
	w.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, b *Batch) error {
		if runs.Add(1) == 1 {
			<-hold
		}
		return nil
	}})
	w.push(Job{Key: "k"})
	until(t, "running", func() bool { return runs.Load() == 1 })
	if err := rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	close(hold)
	w.push(Job{Key: "k"}, Job{Key: "l"})
	until(t, "both run", func() bool {
		st := w.stats()
		return st.Processed == 2 && st.Busy+st.Length == 0
	})
}

func TestScriptsForgottenByRedisAreSentAgain(t *testing.T) {
	t.Parallel()
	_, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	var runs atomic.Int32
	opt := w.quick()
	w.serve(opt, Worker{Queue: "q", Handle: func(context.Context, *Batch) error {
		runs.Add(1)
		return nil
	}})
	for i := range 200 {
		if err := rdb.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		w.push(Job{Key: fmt.Sprint(i)})
	}
	until(t, "all run", func() bool { return w.stats().Processed == 200 })
	if runs.Load() != 200 {
		t.Errorf("%d runs for 200 jobs", runs.Load())
	}
}

func TestARestartOfRedisLosesNothing(t *testing.T) {
	t.Parallel()
	r, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	for i := range 500 {
		w.push(Job{Key: fmt.Sprint(i)})
	}
	var got seen
	w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		time.Sleep(5 * time.Millisecond)
		got.add("%s", b.Deliveries[0].Key)
		return nil
	}})
	until(t, "some run", func() bool { return got.len() > 50 })
	r.kill()
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	until(t, "all settled", func() bool { st := w.stats(); return st.Length+st.Busy == 0 })
	all := make(map[string]bool)
	for _, key := range got.get() {
		all[key] = true
	}
	if len(all) != 500 {
		t.Errorf("%d keys of 500 ran", len(all))
	}
}

func TestAFullRedisIsWorkedOff(t *testing.T) {
	t.Parallel()
	_, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	gate := make(chan struct{})
	opt := w.quick()
	opt.Concurrency = 1
	at0 := func(int) time.Duration { return 0 }
	w.serve(opt, Worker{Queue: "q", RetryIn: at0, Handle: func(_ context.Context, b *Batch) error {
		<-gate
		if b.Deliveries[0].RetryCount < 0 {
			return errors.New("once")
		}
		return nil
	}})
	for i := range 100 {
		w.push(Job{Key: fmt.Sprint(i)})
	}
	until(t, "begun", func() bool { return w.stats().Busy > 0 })
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	if err := w.client().Push(t.Context(), Job{Queue: "q", Key: "more"}); err == nil {
		t.Error("a full Redis took a job")
	}
	close(gate)
	until(t, "worked off", func() bool { return w.stats().Processed == 100 })
	if st := w.stats(); st.Failed != 100 || st.Length+st.Busy != 0 {
		t.Errorf("stats = %+v, want a hundred failures and nothing left", st)
	}
}
