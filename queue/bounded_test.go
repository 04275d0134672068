package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// gauge holds the greatest number of keys that one script of a bulk action has changed.
type gauge struct {
	mu    sync.Mutex
	most  int64
	calls int
}

func (g *gauge) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (g *gauge) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (g *gauge) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, cmd := range cmds {
			reply, _ := cmd.(*redis.Cmd)
			if reply == nil || reply.Err() != nil {
				continue
			}
			if pair, err := reply.Int64Slice(); err == nil && len(pair) >= 2 && cmd.Args()[1] != pruneScript.sha {
				g.most, g.calls = max(g.most, pair[0]+pair[1]), g.calls+1
			}
		}
		return err
	}
}

// TestBulkActionsWorkInSlices counts the keys that each script of a bulk action changes.
func TestBulkActionsWorkInSlices(t *testing.T) {
	t.Parallel()
	const keys = 3 * bulkKeys
	actions := map[string]func(*Admin, context.Context, string) (int, error){
		"perform all now": (*Admin).PerformAllNow,
		"kill failed":     (*Admin).KillAllFailed, "delete failed": (*Admin).DeleteAllFailed,
		"requeue morgue": (*Admin).RequeueAllMorgue, "delete morgue": (*Admin).DeleteAllMorgue,
	}
	for name, act := range actions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			failing(t, w, keys)
			rdb, g := dial(t, shared.addr), &gauge{}
			rdb.AddHook(g)
			own := *w
			own.rdb = rdb
			a := own.client(Spec{"q", 1}).Admin()
			if slices.Contains([]string{"requeue morgue", "delete morgue"}, name) {
				if n, err := w.client().Admin().KillAllFailed(t.Context(), "q"); n != keys || err != nil {
					t.Fatalf("%d killed, %v", n, err)
				}
			}
			if n, err := act(a, t.Context(), "q"); n != keys || err != nil {
				t.Errorf("%d of %d keys, %v", n, keys, err)
			}
			if g.most > bulkKeys || g.calls < keys/bulkKeys {
				t.Errorf("%d keys in one of %d scripts, want at most %d", g.most, g.calls, bulkKeys)
			}
		})
	}
}

// failing fills one shard with keys that wait for a retry in a day.
func failing(t *testing.T, w *world, keys int) {
	t.Helper()
	c := w.client(Spec{"q", 1})
	s := w.serve(w.quick(), Worker{Queue: "q", Shards: 1, Handle: func(context.Context, *Batch) error {
		return errors.New("always")
	}, RetryIn: func(int) time.Duration { return 24 * time.Hour }})
	jobs := make([]Job, keys)
	for i := range jobs {
		jobs[i] = Job{Queue: "q", Key: fmt.Sprint(i)}
	}
	if err := c.Push(t.Context(), jobs...); err != nil {
		t.Fatal(err)
	}
	until(t, "all fail", func() bool { return w.stats().Retries == int64(keys) })
	s.Stop()
}

// TestAFetchIsBoundedInPayloads has more payloads than one script may return: several fetches
// return them in the order of their scores.
func TestAFetchIsBoundedInPayloads(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const keys, each = 10, 600
		var jobs []Job
		for i := range keys * each {
			jobs = append(jobs, Job{
				Key: fmt.Sprint(i % keys), Payload: fmt.Append(nil, i), Score: float64(i),
			})
		}
		h := byHand(t, w, jobs...)
		last := make(map[string]float64)
		fetches := 0
		for total := 0; total < len(jobs); fetches++ {
			n := 0
			for _, u := range h.fetch(fetchKeys) {
				for _, d := range u.list {
					if d.Score < last[u.key] {
						t.Errorf("key %s: score %v after %v", u.key, d.Score, last[u.key])
					}
					last[u.key] = d.Score
				}
				n += len(u.list)
				h.settle(u, Outcome{Kind: Done})
			}
			if total += n; n == 0 || n > 1000+500+10*keys {
				t.Fatalf("%d payloads in one fetch, %d before it", n, total-n)
			}
		}
		if fetches < 3 {
			t.Errorf("%d fetches", fetches)
		}
	})
}
