package e2e

import (
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// slowWire is a proxy to another address. It delivers all bytes in order, after the time in `delay`, plus or
// minus a fifth.
type slowWire struct {
	to    string
	delay time.Duration
	in    net.Listener
	mu    sync.Mutex
	conns []net.Conn
	loops sync.WaitGroup
}

// newSlowWire starts a proxy that runs until the end of the test.
func newSlowWire(t *testing.T, to string, delay time.Duration) *slowWire {
	t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &slowWire{to: to, delay: delay, in: in}
	w.loops.Go(w.accept)
	t.Cleanup(w.close)
	return w
}

func (w *slowWire) close() {
	_ = w.in.Close()
	w.mu.Lock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
	w.mu.Unlock()
	w.loops.Wait()
}

func (w *slowWire) accept() {
	for {
		here, err := w.in.Accept()
		if err != nil {
			return
		}
		there, err := net.Dial("tcp", w.to)
		if err != nil {
			_ = here.Close()
			continue
		}
		w.mu.Lock()
		w.conns = append(w.conns, here, there)
		w.mu.Unlock()
		w.carry(here, there)
		w.carry(there, here)
	}
}

// carry copies from one connection to the other. The end of one ends both.
func (w *slowWire) carry(from, to net.Conn) {
	type parcel struct {
		due  time.Time
		text []byte
	}
	way := make(chan parcel, 1024)
	w.loops.Go(func() {
		defer close(way)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if err != nil {
				return
			}
			late := w.delay + time.Duration((rand.Float64()-0.5)*0.4*float64(w.delay))
			way <- parcel{time.Now().Add(late), b[:n]}
		}
	})
	w.loops.Go(func() {
		defer to.Close()
		for p := range way {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.text); err != nil {
				_ = from.Close()
			}
		}
	})
}
