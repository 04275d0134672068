package queue

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// shared is the real Redis of tests that need none of their own. Each test has its own prefix
// there.
var shared *realRedis

// nodes holds the masters of the Redis Cluster that `make test-all` uses; nil in `make test`.
var nodes []*realRedis

var prefixes atomic.Int64

func TestMain(m *testing.M) {
	if os.Getenv(envChaosRedis) != "" {
		os.Exit(chaosWorker())
	}
	checks := testenv.Size("8", "15")
	_ = flag.Set("rapid.checks", checks) // the command line overrides it
	// Most tests wait for leases, retries and slow links. The race detector leaves less time.
	testenv.Tune(testenv.Size(12, 8))
	var err error
	if shared, err = startRedis(); err != nil {
		fmt.Fprintln(os.Stderr, "the tests need redis-server (apt-get install redis-server):", err)
		os.Exit(1)
	}
	if testenv.All {
		if nodes, err = startCluster(); err != nil {
			fmt.Fprintln(os.Stderr, "the Redis Cluster of the tests does not come up:", err)
			os.Exit(1)
		}
	}
	code := m.Run()
	for _, r := range append(nodes, shared) {
		r.kill()
		_ = os.RemoveAll(r.dir) // a temporary directory
	}
	if code == 0 {
		// A pool of go-redis that could not connect has a goroutine that ends a second after it is closed.
		if err := testenv.Leak(time.Minute); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// realRedis is a private redis-server.
type realRedis struct {
	addr, dir string
	args      []string
	cmd       *exec.Cmd
}

func startRedis(args ...string) (*realRedis, error) {
	dir, err := os.MkdirTemp("", "queue-redis-")
	if err != nil {
		return nil, err
	}
	addr, err := testenv.FreeAddr()
	if err != nil {
		return nil, err
	}
	r := &realRedis{addr: addr, dir: dir, args: args}
	return r, r.start()
}

// start runs the server on its port, with an append-only file in its directory.
func (r *realRedis) start() error {
	_, port, err := net.SplitHostPort(r.addr)
	if err != nil {
		return err
	}
	args := append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", r.dir,
		"--save", "", "--appendonly", "yes", "--appendfsync", "no", "--loglevel", "warning",
	}, r.args...)
	r.cmd = exec.Command("redis-server", args...)
	var out bytes.Buffer
	r.cmd.Stdout, r.cmd.Stderr = &out, &out
	if err := r.cmd.Start(); err != nil {
		return err
	}
	rdb := redis.NewClient(&redis.Options{Addr: r.addr, MaxRetries: -1})
	defer rdb.Close()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if err = rdb.Ping(context.Background()).Err(); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no answer: %w\n%s", err, out.String())
}

func (r *realRedis) kill() {
	_ = r.cmd.Process.Kill() // it may be dead already
	_ = r.cmd.Wait()         // killed is what it says
}

// privateRedis starts a real Redis of the test alone, for tests that break it.
func privateRedis(t testing.TB) (*realRedis, *redis.Client) {
	t.Helper()
	r, err := startRedis()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.kill(); _ = os.RemoveAll(r.dir) })
	return r, dial(t, r.addr)
}

func dial(t testing.TB, addr string) *redis.Client {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// world is a Redis with a prefix for the test.
type world struct {
	t      testing.TB
	rdb    redis.UniversalClient
	addrs  []string // one, or those of a cluster
	prefix string
}

// everywhere runs a test on a real Redis and the in-process one, and in `make test-all` on a Redis
// Cluster.
func everywhere(t *testing.T, story func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		story(t, newWorld(t))
	})
	t.Run("miniredis", func(t *testing.T) {
		t.Parallel()
		story(t, miniWorld(t))
	})
	if testenv.All {
		t.Run("cluster", func(t *testing.T) {
			t.Parallel()
			story(t, clusterWorld(t, nodes))
		})
	}
}

// miniWorld is an in-process Redis of its own. Keys expire between scripts, as in the embedded mode. With
// ClockTTL, a key can expire within a script, which no Redis allows.
func miniWorld(t testing.TB) *world {
	m := miniredis.RunT(t)
	ctx, cancel := context.WithCancel(context.Background())
	var clock sync.WaitGroup
	clock.Go(func() {
		for last := time.Now(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			now := time.Now()
			m.FastForward(now.Sub(last))
			last = now
		}
	})
	t.Cleanup(func() { cancel(); clock.Wait() })
	return worldAt(t, "mini", m.Addr())
}

// newWorld returns a world with a prefix on the shared Redis.
func newWorld(t testing.TB) *world {
	return worldAt(t, newPrefix(), shared.addr)
}

func newPrefix() string { return "t" + strconv.FormatInt(prefixes.Add(1), 10) }

// clusterWorld returns a world with a prefix on a cluster.
func clusterWorld(t testing.TB, nodes []*realRedis) *world {
	if len(nodes) == 0 {
		t.Fatal("the Redis Cluster belongs to make test-all: the file of this test begins with //go:build all")
	}
	var addrs []string
	for _, r := range nodes {
		addrs = append(addrs, r.addr)
	}
	return worldAt(t, "c"+strconv.FormatInt(prefixes.Add(1), 10), addrs...)
}

func worldAt(t testing.TB, prefix string, addrs ...string) *world {
	w := &world{t: t, addrs: addrs, prefix: prefix}
	w.rdb = w.dial(redis.UniversalOptions{})
	return w
}

// dial returns a connection to the Redis of the world. It is closed with the test.
func (w *world) dial(opt redis.UniversalOptions) redis.UniversalClient {
	opt.Addrs, opt.ContextTimeoutEnabled = w.addrs, true
	rdb := redis.NewUniversalClient(&opt)
	w.t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// everyKey lists the keys that match a pattern below the prefix, from all nodes.
func (w *world) everyKey(pattern string) []string {
	w.t.Helper()
	var mu sync.Mutex
	var all []string
	list := func(ctx context.Context, rdb *redis.Client) error {
		keys, err := rdb.Keys(ctx, w.prefix+pattern).Result()
		mu.Lock()
		defer mu.Unlock()
		all = append(all, keys...)
		return err
	}
	var err error
	switch rdb := w.rdb.(type) {
	case *redis.ClusterClient:
		err = rdb.ForEachMaster(w.t.Context(), list)
	case *redis.Client:
		err = list(w.t.Context(), rdb)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

func (w *world) client(queues ...Spec) *Client {
	if len(queues) == 0 {
		queues = []Spec{{Name: "q"}}
	}
	return NewClient(w.rdb, ClientOptions{Prefix: w.prefix, Queues: queues})
}

// quick returns options with a short poll. The lease outlasts a test process that gets no processor
// for five seconds, so that such a process loses no lease and runs no job again.
func (w *world) quick() ServerOptions {
	return ServerOptions{
		Prefix: w.prefix, Lease: 10 * time.Second, Poll: 200 * time.Millisecond,
		StopTimeout: time.Minute, Log: slog.New(slog.NewTextHandler(testLog{w.t}, nil)),
	}
}

// brief returns options with a lease that ends within the test. A test that uses brief must hold
// for a node that loses its lease at any time.
func (w *world) brief() ServerOptions {
	opt := w.quick()
	opt.Lease = time.Second
	return opt
}

// rare returns options with a poll that comes too late for a test, so that each run needs a
// wake-up. The lease outlasts the test, because a shard that changes its owner is polled as well.
func (w *world) rare() ServerOptions {
	opt := w.quick()
	opt.Lease, opt.Poll = 5*time.Minute, time.Minute
	return opt
}

// testLog is a writer that sends a log to the test.
type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimRight(p, "\n"))
	return len(p), nil
}

// serve starts a server and stops it with the test.
func (w *world) serve(opt ServerOptions, workers ...Worker) *Server {
	w.t.Helper()
	s := NewServer(w.rdb, opt, workers...)
	if err := s.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(s.Stop)
	return s
}

func (w *world) push(jobs ...Job) {
	w.t.Helper()
	for i := range jobs {
		if jobs[i].Queue == "" {
			jobs[i].Queue = "q"
		}
	}
	if err := w.client().Push(context.Background(), jobs...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) stats() Stats {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; {
		st, err := w.client().Stats(context.Background(), "q")
		if err == nil {
			return st
		}
		if !errors.Is(err, context.DeadlineExceeded) || time.Now().After(end) { // the machine may be busy
			w.t.Fatal(err)
		}
	}
}

// until waits for a condition, at most two minutes: large payloads take long in the
// embedded Redis under the race detector.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !testenv.Await(2*time.Minute, ok) {
		t.Fatalf("after two minutes still not: %s", what)
	}
}

// blank is a handler that does nothing.
func blank(context.Context, *Batch) error { return nil }
