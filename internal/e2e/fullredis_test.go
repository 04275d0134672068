//go:build all

package e2e

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// ballast is a Redis with little memory that something else fills.
type ballast struct {
	t   *testing.T
	rdb *redis.Client
}

// newBallast bounds the memory of the Redis of a house.
func newBallast(h *house) *ballast {
	h.t.Helper()
	opt, err := redis.ParseURL(h.redis.URL())
	if err != nil {
		h.t.Fatal(err)
	}
	b := &ballast{h.t, redis.NewClient(opt)}
	h.t.Cleanup(func() { _ = b.rdb.Close() })
	b.do("config", "set", "maxmemory-policy", "noeviction")
	b.do("config", "set", "maxmemory", "16mb")
	return b
}

func (b *ballast) do(args ...any) {
	b.t.Helper()
	if err := b.rdb.Do(context.Background(), args...).Err(); err != nil {
		b.t.Errorf("redis %v: %v", args, err)
	}
}

// fill leaves no room for any other write; free gives it back.
func (b *ballast) fill() { b.t.Helper(); b.do("setrange", "ballast", 16<<20, "x") }
func (b *ballast) free() { b.t.Helper(); b.do("del", "ballast") }

// shake fills and frees Redis again and again, for some milliseconds each, until stop
// is called. Then Redis is free.
func (b *ballast) shake(seed uint64) (stop func()) {
	random, end := rand.New(rand.NewPCG(seed, seed)), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
			}
			b.fill()
			time.Sleep(time.Duration(1+random.IntN(12)) * time.Millisecond)
			b.free()
			time.Sleep(time.Duration(1+random.IntN(20)) * time.Millisecond)
		}
	})
	return func() { close(end); wg.Wait() }
}

// TestFullRedis_UnderLoad_KeepsTheOrderOfEachKey imports files with many rows for few
// keys while Redis is full by turns, in the middle of pushes too.
func TestFullRedis_UnderLoad_KeepsTheOrderOfEachKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := newBallast(h)
	api := h.api()
	db, err := ledger.Open(t.Context(), h.postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	writeLog(t, db)
	processes := []*testenv.Process{h.worker(), h.worker(), h.worker(), api}
	keys := keysOfAShard(40)
	stop := b.shake(7)
	var ids []string
	for range 3 {
		ids = append(ids, start(t, api.URL(), keyedFile(t, keys)).ID)
	}
	for _, id := range ids {
		if v := follow(t, api.URL(), id, done); v.Counts.Finish != keyedRows() {
			t.Errorf("task %s ended as %+v", id, v.Counts)
		}
	}
	stop()
	if code, out := h.verify(); code != 0 {
		t.Errorf("verify, exit code %d:\n%s", code, out)
	}
	for _, p := range processes {
		p.Term()
	}
	for _, p := range processes {
		if code := p.Wait(); code != 0 {
			t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
		}
	}
	inOrder(t, db, ids, keys)
}
