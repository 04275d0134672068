package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// These are the sizes of a push of many scripts to one shard. Scripts with a fifth of the usual jobs
// are divided, refused and pushed again in the same way.
const (
	faultyScript = pushJobs / 5
	faultyJobs   = 4 * faultyScript
	faultyKeys   = 7
)

// pushFaults lists the faults that a script of a push may have on the wire.
var pushFaults = map[string]testenv.Fate{
	"lost":        {Lost: true},
	"unanswered":  {Unanswered: true},
	"OOM":         {Refuse: "OOM command not allowed when used memory > 'maxmemory'."},
	"NOSCRIPT":    {Refuse: "NOSCRIPT No matching script."},
	"READONLY":    {Refuse: "READONLY You can't write against a read only replica."},
	"LOADING":     {Refuse: "LOADING Redis is loading the dataset in memory"},
	"TRYAGAIN":    {Refuse: "TRYAGAIN Multiple keys request during rehashing of slot"},
	"CLUSTERDOWN": {Refuse: "CLUSTERDOWN The cluster is down"},
	"ERR":         {Refuse: "ERR no such thing"},
}

// refused returns the numbers of the scripts that a test refuses in turn: all in `make test-all`,
// else the given ones.
func refused(some ...int) []int {
	if !testenv.All {
		return some
	}
	return []int{0, 1, 2, 3}
}

// TestPush_OneScriptRefused_KeepsOrder refuses one script of a push, in `make test-all` each in
// turn on one Redis, while a worker runs. No payload runs before a refused one of its key. The
// faults are on the wire, before any server.
func TestPush_OneScriptRefused_KeepsOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for cause, fate := range pushFaults {
			numbers := []int{1}
			if strings.HasSuffix(t.Name(), "/redis") {
				numbers = refused(1)
			}
			for _, number := range numbers {
				t.Run(fmt.Sprintf("%s, script %d", cause, number), func(t *testing.T) {
					t.Parallel()
					newFaulty(t, w, number, func() testenv.Fate { return fate }).run()
				})
			}
		}
	})
}

// TestPush_RedisRefusesInEarnest_KeepsOrder has a private Redis refuse one script of a push: the first
// and then the last, or in `make test-all` each of the four in turn.
func TestPush_RedisRefusesInEarnest_KeepsOrder(t *testing.T) {
	t.Parallel()
	causes := map[string][2][]any{
		"full":              {{"config", "set", "maxmemory", "1"}, {"config", "set", "maxmemory", "0"}},
		"replica":           {{"replicaof", "127.0.0.1", "1"}, {"replicaof", "no", "one"}},
		"scripts forgotten": {{"script", "flush"}, {"script", "load", pushScript.src}},
	}
	for cause, commands := range causes {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			_, rdb := privateRedis(t)
			do := func(args []any) func() {
				return func() {
					if err := rdb.Do(context.Background(), args...).Err(); err != nil {
						t.Errorf("%v: %v", args, err)
					}
				}
			}
			for _, number := range refused(0, 3) {
				w := worldAt(t, fmt.Sprint("p", number), rdb.Options().Addr)
				newFaulty(t, w, number, func() testenv.Fate {
					return testenv.Fate{Before: do(commands[0]), After: do(commands[1])}
				}).run()
			}
		})
	}
}

// faulty is a push with a fault at one script, and what a worker sees of it.
type faulty struct {
	t      *testing.T
	w      *world
	queue  string
	client *Client
	met    atomic.Bool
	seen   *history
	jobs   []Job
}

// newFaulty loads the push script, and prepares a client that has a fault at the script with the
// given number. go-redis sends lost commands again.
func newFaulty(t *testing.T, w *world, number int, fate func() testenv.Fate) *faulty {
	own := *w
	own.t, own.prefix = t, newPrefix()
	f := &faulty{t: t, w: &own, queue: "q"}
	f.seen = &history{t: t, running: map[string]bool{}, runs: map[string][]run{}}
	var count atomic.Int64
	wire := testenv.NewWire(t, func(words []string) testenv.Fate {
		if len(words) < 2 || words[1] != pushScript.sha && words[1] != pushScript.src {
			return testenv.Fate{}
		}
		if n := count.Add(1) - 1; int(n) != number {
			return testenv.Fate{}
		}
		f.met.Store(true)
		return fate()
	})
	f.client = NewClient(own.dial(redis.UniversalOptions{Dialer: wire.Dial}),
		ClientOptions{Prefix: own.prefix, Queues: []Spec{{f.queue, 1}}})
	f.client.scriptJobs = faultyScript
	for i := range faultyJobs {
		f.jobs = append(f.jobs, Job{
			Queue: f.queue, Key: fmt.Sprint(i % faultyKeys), Payload: fmt.Append(nil, i), Score: float64(i),
		})
	}
	f.load()
	return f
}

// load loads the push script into every node.
func (f *faulty) load() {
	f.t.Helper()
	load := func(ctx context.Context, rdb *redis.Client) error {
		return rdb.ScriptLoad(ctx, pushScript.src).Err()
	}
	var err error
	switch rdb := f.w.rdb.(type) {
	case *redis.ClusterClient:
		err = rdb.ForEachMaster(f.t.Context(), load)
	case *redis.Client:
		err = load(f.t.Context(), rdb)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// run pushes the jobs while a worker runs, until all were accepted. It checks what the worker saw
// and what the push returned.
func (f *faulty) run() {
	f.t.Helper()
	opt := f.w.quick()
	opt.Lease = 10 * time.Second
	f.w.serve(opt, Worker{Queue: f.queue, Shards: 1, Handle: func(_ context.Context, b *Batch) error {
		f.seen.enter(b)
		f.seen.leave(b)
		return nil
	}})
	err := f.client.Push(f.t.Context(), f.jobs...)
	for err != nil && !f.met.Load() { // on a slow machine an earlier script may get no answer in time
		f.check(err)
		err = f.repeat()
	}
	if !f.met.Load() {
		f.t.Fatal("the script was not sent")
	}
	f.check(err)
	until(f.t, "what was taken has run", func() bool { st := f.w.stats(); return st.Length+st.Busy == 0 })
	for err != nil {
		err = f.repeat()
	}
	until(f.t, "all have run", func() bool { st := f.w.stats(); return st.Length+st.Busy == 0 })
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	for i := range faultyKeys {
		key := fmt.Sprint(i)
		n, ordered := f.seen.first(key)
		if want := (faultyJobs + faultyKeys - 1 - i) / faultyKeys; n != want || !ordered {
			f.t.Errorf("key %s: %d payloads of %d ran, in order: %t", key, n, want, ordered)
		}
	}
}

// repeat pushes the jobs once more.
func (f *faulty) repeat() error {
	for i := range f.jobs {
		f.jobs[i].Redelivered = true
	}
	return f.client.Push(f.t.Context(), f.jobs...)
}

// check checks that the error of the push names every job from one script on, and no other.
func (f *faulty) check(err error) {
	f.t.Helper()
	if err == nil {
		return
	}
	var refused *PushError
	if !errors.As(err, &refused) {
		f.t.Fatalf("Push = %v, want a PushError", err)
	}
	first := refused.Items[0].Index
	for i, item := range refused.Items {
		unsure := errors.Is(item.Err, ErrUnanswered)
		if first%faultyScript != 0 || item.Index != first+i || unsure && i >= faultyScript {
			f.t.Fatalf("Push names job %d as number %d of those from %d on: %v", item.Index, i, first, item.Err)
		}
	}
	if len(refused.Items) != faultyJobs-first {
		f.t.Errorf("Push names %d jobs from job %d on, want all", len(refused.Items), first)
	}
}
