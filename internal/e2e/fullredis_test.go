//go:build all

package e2e

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// memory controls the memory limit of a Redis.
type memory struct {
	t   *testing.T
	rdb *redis.Client
}

// newMemory takes control of the memory of the Redis of a deployment.
func newMemory(h *deployment) *memory {
	h.t.Helper()
	opt, err := redis.ParseURL(h.redis.URL())
	if err != nil {
		h.t.Fatal(err)
	}
	m := &memory{h.t, redis.NewClient(opt)}
	h.t.Cleanup(func() { _ = m.rdb.Close() })
	m.set("maxmemory-policy", "noeviction")
	return m
}

func (m *memory) set(name, value string) {
	m.t.Helper()
	if err := m.rdb.ConfigSet(context.Background(), name, value).Err(); err != nil {
		m.t.Errorf("redis: %s %s: %v", name, value, err)
	}
}

// fill sets a limit under which Redis rejects all writes that need memory, and free removes it. To change
// the limit is fast, so Redis can answer the nodes that renew their leases.
func (m *memory) fill() { m.t.Helper(); m.set("maxmemory", "1") }
func (m *memory) free() { m.t.Helper(); m.set("maxmemory", "0") }

// shake fills and frees Redis again and again, for some milliseconds each, until stop is called or
// the test ends. Afterwards Redis has room.
func (m *memory) shake(seed uint64) (stop func()) {
	random, end := rand.New(rand.NewPCG(seed, seed)), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
			}
			m.fill()
			time.Sleep(time.Duration(1+random.IntN(12)) * time.Millisecond)
			m.free()
			time.Sleep(time.Duration(1+random.IntN(20)) * time.Millisecond)
		}
	})
	stop = sync.OnceFunc(func() { close(end); wg.Wait() })
	m.t.Cleanup(stop)
	return stop
}

// imports starts some imports of the same keys, on a deployment whose writes are logged.
func imports(t *testing.T, h *deployment, url string, n int) (db *ledger.DB, ids, keys []string) {
	t.Helper()
	db, err := ledger.Open(t.Context(), h.postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	writeLog(t, db)
	keys = keysOfAShard(40)
	for range n {
		ids = append(ids, start(t, url, keyedFile(t, keys)).ID)
	}
	return db, ids, keys
}

// ended waits until all rows of the imports have finished, and runs verify.
func ended(t *testing.T, h *deployment, url string, ids []string) {
	t.Helper()
	for _, id := range ids {
		if v := follow(t, url, id, done); v.Counts.Finish != keyedRows() {
			t.Errorf("task %s ended as %+v", id, v.Counts)
		}
	}
	if code, out := h.verify(); code != 0 {
		t.Errorf("verify, exit code %d:\n%s", code, out)
	}
}

// TestFullRedis_UnderLoad_KeepsTheOrderOfEachKey imports files with many rows of few keys, while
// Redis is full now and again, also in the middle of pushes.
func TestFullRedis_UnderLoad_KeepsTheOrderOfEachKey(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	m := newMemory(h)
	api := h.api()
	processes := []*testenv.Process{h.worker(), h.worker(), h.worker(), api}
	stop := m.shake(7)
	db, ids, keys := imports(t, h, api.URL(), 3)
	for _, id := range ids {
		follow(t, api.URL(), id, done)
	}
	stop()
	ended(t, h, api.URL(), ids)
	for _, p := range processes {
		p.Term()
	}
	for _, p := range processes {
		if code := p.Wait(); code != 0 {
			t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
		}
	}
	inOrder(t, db, ids, keys, false)
}

// TestFullRedis_AllWorkersDie_OthersWorkItOff fills Redis in the middle of imports and kills all
// workers. New workers run the rows in Redis while it stays full; an operator sees the cause and
// can pause. When there is room again, all rows end in order.
func TestFullRedis_AllWorkersDie_OthersWorkItOff(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	m := newMemory(h)
	api := h.api()
	workers := []*testenv.Process{h.worker(), h.worker()}
	db, ids, keys := imports(t, h, api.URL(), 2)
	follow(t, api.URL(), ids[0], processed(long(1000)))
	m.fill()
	for _, p := range workers {
		p.Kill()
	}
	h.worker()
	h.worker()
	queueURL := api.URL() + "/api/v1/queues/products.import"
	idle := func() bool {
		var q struct{ Length, Busy int }
		get(t, queueURL, &q)
		return q.Length+q.Busy == 0
	}
	for end := time.Now().Add(patience); !idle(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a full Redis is not worked off")
		}
	}
	if page, err := fetch(api.URL() + "/ops"); err != nil || !strings.Contains(string(page), "Redis is full") {
		t.Errorf("the dashboard does not say that Redis is full: %v", err)
	}
	for _, act := range []string{"/pause", "/resume"} {
		resp, err := client.Post(queueURL+act, "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode >= 300 {
			t.Errorf("%s in a full Redis: %s", act, resp.Status)
		}
	}
	m.free()
	ended(t, h, api.URL(), ids)
	inOrder(t, db, ids, keys, true)
}
