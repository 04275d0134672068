package queue

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// slowLink is a TCP proxy that carries a number of bytes a second in each direction.
type slowLink struct {
	to    string
	in    net.Listener
	loops sync.WaitGroup

	mu    sync.Mutex
	rate  int
	conns []net.Conn
	free  [2]time.Time // when the link has carried all bytes that it has taken, by direction
}

// overSlowLink returns the same world through a link of a number of bytes a second, and the link.
func (w *world) overSlowLink(rate int) (*world, *slowLink) {
	w.t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	l := &slowLink{to: w.addrs[0], rate: rate, in: in}
	l.loops.Go(l.accept)
	own := *w
	own.rdb = redis.NewClient(&redis.Options{
		Addr: in.Addr().String(), ContextTimeoutEnabled: true, MaxRetries: -1,
	})
	w.t.Cleanup(func() { _ = own.rdb.Close(); l.close() })
	return &own, l
}

// speedUp sets the rate for the bytes that come from now on.
func (l *slowLink) speedUp(rate int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate = rate
}

func (l *slowLink) accept() {
	for {
		here, err := l.in.Accept()
		if err != nil {
			return
		}
		there, err := net.Dial("tcp", l.to)
		if err != nil {
			_ = here.Close()
			continue
		}
		l.mu.Lock()
		l.conns = append(l.conns, here, there)
		l.mu.Unlock()
		l.loops.Go(func() { l.carry(here, there, 0) })
		l.loops.Go(func() { l.carry(there, here, 1) })
	}
}

func (l *slowLink) carry(from, to net.Conn, way int) {
	defer func() { _ = from.Close(); _ = to.Close() }()
	for buf := make([]byte, 16<<10); ; {
		n, err := from.Read(buf)
		time.Sleep(l.wait(n, way))
		if _, lost := to.Write(buf[:n]); err != nil || lost != nil {
			return
		}
	}
}

// wait returns how long the link needs for n bytes and for all bytes before them.
func (l *slowLink) wait(n, way int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.free[way].Before(now) {
		l.free[way] = now
	}
	l.free[way] = l.free[way].Add(time.Duration(n) * time.Second / time.Duration(l.rate))
	return l.free[way].Sub(now)
}

func (l *slowLink) close() {
	_ = l.in.Close()
	l.mu.Lock()
	for _, c := range l.conns {
		_ = c.Close()
	}
	l.mu.Unlock()
	l.loops.Wait()
}

// TestSlowLink_LargePayloads_AreTakenOverAndRun ends a node with 8 MiB in flight. The link of the
// next node, of 20 Mbit/s, carries 7 MiB within the timeout of one round trip, half a lease. When keys have been taken
// over and have run through that link, the rest runs through a faster one.
func TestSlowLink_LargePayloads_AreTakenOverAndRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const keys, each, size = 13, 8, 78 << 10
	c := w.client(Spec{"q", 1})
	for k := range keys {
		for i := range each {
			payload := fmt.Appendf(make([]byte, size), "%d", i)
			if err := c.Push(t.Context(), Job{Queue: "q", Key: fmt.Sprint("k", k), Payload: payload, Score: float64(i)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	first, net := w.wired(-1)
	opt := first.quick()
	opt.Log, opt.Concurrency = nil, keys
	dying := first.serve(opt, Worker{Queue: "q", Handle: func(ctx context.Context, _ *Batch) error {
		<-ctx.Done()
		return ctx.Err()
	}})
	until(t, "every key is in flight", func() bool { return w.stats().Busy == keys && dying.Counts().Running == keys })
	crash(w, net)

	opt = w.quick()
	opt.Lease = 6 * time.Second
	slow, link := w.overSlowLink(2_500_000)
	slow.serve(opt, Worker{Queue: "q", Handle: blank})
	until(t, "one has run", func() bool { return w.stats().Processed > 0 })
	link.speedUp(250_000_000)
	until(t, "all have run", func() bool { return w.stats().Processed == keys*each })
}
