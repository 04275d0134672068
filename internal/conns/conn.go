package conns

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// chunk is how many bytes one write sends at most, so that its deadline follows the progress.
const chunk = 32 << 10

// phase is what a connection waits for.
type phase int

// The phases, in the order in which connections are given up.
const (
	idle    phase = iota // for the head of a request
	writing              // for the client to take more of an answer
	busy                 // for a handler, or the body of a request
)

// conn is a connection of a Table, which guards all fields below it.
type conn struct {
	net.Conn
	table *Table
	write sync.Mutex // of patience
	patience

	client netip.Addr // whose it is; the zero address if it is a proxy's without a request
	site   *share     // of its site
	proxy  bool       // the peer is a trusted proxy
	phase  phase
	since  time.Time // when the phase began, or the last progress of a write
	until  time.Time // when the patience of a write ends
	gone   bool
	ended  chan struct{} // closed with the connection; nil unless it was given up
	closed bool
}

// Write writes all of p, unless the client takes too little of it for too long.
func (c *conn) Write(p []byte) (n int, err error) {
	c.write.Lock()
	defer c.write.Unlock()
	before := c.table.phaseOf(c)
	for err == nil && n < len(p) {
		c.table.enter(c, writing)
		var k int
		k, err = c.send(p[n:min(n+chunk, len(p))])
		n += k
	}
	c.table.enter(c, before)
	return n, err
}

// send writes a chunk while there is patience.
func (c *conn) send(p []byte) (int, error) {
	begun := time.Now()
	if err := c.SetWriteDeadline(begun.Add(c.left)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	c.spend(time.Since(begun), n)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.table.limits.GivenUp(Slow)
		c.forget()
	}
	return n, err
}

// Close closes the connection.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.table.remove(c)
	return err
}

// CloseWrite closes the half of a TCP connection that net/http closes before the rest, so that
// the client reads the last answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// forget has the kernel drop what the client has not taken once the connection is closed.
func (c *conn) forget() { drop(c.Conn) }

// drop has the kernel drop what it holds of a TCP connection once that is closed.
func drop(c net.Conn) {
	if tcp, ok := c.(interface{ SetLinger(seconds int) error }); ok {
		_ = tcp.SetLinger(0) // else it drops it later
	}
}
