package queue

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// crash cuts a node off for good, like kill -9. It deletes all leases and the list of nodes, so that
// the test need not wait.
func crash(w *world, net *wire) {
	net.sever()
	for i := range 5 {
		w.rdb.Del(w.t.Context(), keyspace{w.prefix}.shard("q", i).lease)
	}
	w.rdb.Del(w.t.Context(), keyspace{w.prefix}.nodes("q"))
}

// TestAPoisonJobDiesAfterItsCrashesAndAlone has a key that crashes its node each time it starts,
// beside harmless ones.
func TestAPoisonJobDiesAfterItsCrashesAndAlone(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		var starts, dead seen
		down, slow := make(chan struct{}, 1), make(chan struct{}, 2)
		worker := Worker{Queue: "q", MaxCrashes: 2, Handle: func(ctx context.Context, b *Batch) error {
			key := b.Deliveries[0].Key
			if key == "poison" && string(b.Deliveries[0].Payload) == "a" {
				starts.add("poison")
				down <- struct{}{}
				<-ctx.Done() // the process is no more
			} else if strings.HasPrefix(key, "slow") && b.Deliveries[0].Redelivered == 0 {
				slow <- struct{}{}
				<-ctx.Done()
			}
			return ctx.Err()
		}, Exhausted: func(_ context.Context, list []DeadJob) {
			for _, d := range list {
				dead.add("%s:%s %s %v", d.Key, d.Payload, d.Err, d.Crashed)
			}
		}}
		w.push(Job{Key: "slow1"}, Job{Key: "slow2"}, Job{Key: "poison", Payload: []byte("a"), Score: 1},
			Job{Key: "poison", Payload: []byte("b"), Score: 2})
		for i := range 3 { // at the first start, the key is no suspect yet
			node, net := w.wired(-1)
			opt := node.quick()
			opt.Log = nil
			node.serve(opt, worker)
			<-down
			if i == 0 {
				<-slow
				<-slow
			}
			until(t, "the others have ended at their second start", func() bool {
				return i == 0 || w.stats().Processed == 2
			})
			crash(w, net)
		}
		w.serve(w.quick(), worker)
		until(t, "the poison is dead, all others done", func() bool {
			st := w.stats()
			return st.MorgueLength == 1 && st.Processed == 3 && st.Length+st.Busy == 0
		})
		until(t, "told", func() bool { return dead.len() == 1 })
		if got := dead.get()[0]; !strings.HasPrefix(got, "poison:a the process died each of the 2") ||
			!strings.HasSuffix(got, " true") {
			t.Errorf("dead: %s", got)
		}
		if n := starts.len(); n != 3 {
			t.Errorf("the poison was started %d times, want once and twice again", n)
		}
		wantNoMetaBut(t, w, "morgue", "dead_errors", "m:poison")
	})
}

// TestSuspectsRunOneAtATimeAfterASecondCrash has eight keys in flight at two crashes. After the first
// crash they run in parallel, and after the second one at a time.
func TestSuspectsRunOneAtATimeAfterASecondCrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var jobs []Job
	for i := range 8 {
		jobs = append(jobs, Job{Key: string(rune('a' + i))})
	}
	w.push(jobs...)
	for range 2 {
		node, net := w.wired(-1)
		var started sync.WaitGroup
		started.Add(8) // all at once: none of them ends
		opt := node.quick()
		opt.Log = nil
		node.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
			started.Done()
			<-ctx.Done()
			return ctx.Err()
		}})
		started.Wait()
		crash(w, net)
	}
	var mu sync.Mutex
	running, most := 0, 0
	w.serve(w.quick(), Worker{Queue: "q", Handle: func(_ context.Context, b *Batch) error {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return nil
	}})
	until(t, "all done", func() bool { return w.stats().Processed == 8 })
	mu.Lock()
	defer mu.Unlock()
	if most != 1 {
		t.Errorf("%d suspects ran at once, want one", most)
	}
	wantNoMeta(t, w)
}

func TestAnUnreadableRecordGoesToTheMorgue(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		k := keyspace{w.prefix}.shard("q", shardOf("k", 5))
		if err := w.rdb.HSet(t.Context(), k.busy, "k", "not ours").Err(); err != nil {
			t.Fatal(err)
		}
		w.push(Job{Key: "k", Payload: []byte("a")})
		w.serve(w.quick(), Worker{Queue: "q", Handle: blank})
		until(t, "the key is free again", func() bool { return w.stats().Processed == 1 })
		dead := w.rdb.ZRangeWithScores(t.Context(), k.deadPayloads+"k", 0, -1).Val()
		if !slices.Equal(dead, []redis.Z{{Member: "not ours"}}) {
			t.Errorf("morgue of the key = %v, want the record", dead)
		}
	})
}

// TestSuspect_RefusedBeforeItStarts_KeepsItsCrashes puts a poison key back once before each start.
func TestSuspect_RefusedBeforeItStarts_KeepsItsCrashes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var starts seen
	down, refused := make(chan struct{}, 1), true
	worker := Worker{Queue: "q", MaxCrashes: 2, Handle: func(ctx context.Context, b *Batch) error {
		if refused = !refused; !refused {
			b.Deliveries[0].Resolve(Outcome{Kind: Return, Unstarted: true})
			return nil
		}
		starts.add("poison")
		down <- struct{}{}
		<-ctx.Done() // the process is no more
		return ctx.Err()
	}}
	w.push(Job{Key: "poison"})
	for range 3 {
		node, net := w.wired(-1)
		opt := node.quick()
		opt.Log = nil
		node.serve(opt, worker)
		<-down
		crash(w, net)
	}
	w.serve(w.quick(), worker)
	until(t, "the poison is dead", func() bool { return w.stats().MorgueLength == 1 })
	if n := starts.len(); n != 3 {
		t.Errorf("the poison was started %d times, want once and twice again", n)
	}
}
