package queue

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"
)

// wire is a network that can be cut, or lose the reply to a script after Redis
// has run it.
type wire struct {
	mu    sync.Mutex
	cut   bool
	lose  []byte // digest of the script whose next reply is lost
	lost  int
	conns map[net.Conn]bool
}

// errCut is the error of a cut wire.
var errCut = errors.New("wire is cut")

// wired returns the same world through a network that the test controls. The argument
// `retries` is the option MaxRetries of go-redis.
func (w *world) wired(retries int) (*world, *wire) {
	net, own := &wire{conns: make(map[net.Conn]bool)}, *w
	own.rdb = w.dial(redis.UniversalOptions{
		MaxRetries: retries, MaxRedirects: retries, Dialer: net.dial,
	})
	return &own, net
}

func (w *wire) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return nil, errCut
	}
	c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	w.conns[c] = true
	return &wiredConn{Conn: c, wire: w}, nil
}

// sever cuts all connections and refuses new ones, like the death of the node.
func (w *wire) sever() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	for c := range w.conns {
		_ = c.Close() // an error does not matter
	}
}

// mend allows connections again.
func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = false
}

// loseReply arms the loss of the next reply to s.
func (w *wire) loseReply(s *script) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lose = []byte(s.sha)
}

// losses counts the replies lost so far.
func (w *wire) losses() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

type wiredConn struct {
	net.Conn
	wire   *wire
	doomed bool // guarded by wire.mu
}

func (c *wiredConn) Write(p []byte) (int, error) {
	c.wire.mu.Lock()
	if c.wire.lose != nil && bytes.Contains(p, c.wire.lose) {
		c.wire.lose, c.doomed = nil, true
	}
	c.wire.mu.Unlock()
	return c.Conn.Write(p)
}

func (c *wiredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	if c.doomed {
		c.wire.lost++
		_ = c.Close() // the reply has come, and goes no further
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *wiredConn) Close() error { return c.Conn.Close() }
