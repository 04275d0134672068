package conns

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// chunk is the maximum number of bytes that one call of net.Conn.Write gets. Writes are small, so that the
// deadline follows the progress of the client.
const chunk = 32 << 10

// phase is the state of a connection.
type phase int

// These are the phases of a connection. Among the connections of a site, a full Table closes idle ones first,
// then writing ones. It closes a busy connection only at the site with the most connections. It closes none
// if that site has fewer than two more than the site of the new connection.
const (
	idle    phase = iota // waits for the head of a request
	writing              // waits for the client to read more of a response
	busy                 // waits for a handler, or for the body of a request
)

// conn is a connection of a Table. The mutex of the table guards the fields below patience.
type conn struct {
	net.Conn
	table *Table
	write sync.Mutex // guards patience
	patience

	client netip.Addr // the client; the zero address for a proxy without a request
	site   *share     // the share of its site
	proxy  bool       // the peer is a trusted proxy
	phase  phase
	since  time.Time // when the phase began, or the last progress of a write
	until  time.Time // when the patience of a write ends
	gone   bool
	ended  chan struct{} // closed with the connection; nil unless the table closes it
	closed bool
}

// Write writes all of `p` unless an error occurs. If the patience of the connection ends before the client
// has read enough, the error wraps os.ErrDeadlineExceeded.
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

// send writes one chunk, within the time that the patience of the connection leaves.
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

// CloseWrite closes the write half of a TCP connection. For other connections, it does nothing. The package
// net/http calls it before Close, so that the client can read the last response.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// forget makes the kernel drop unsent bytes when the connection is closed.
func (c *conn) forget() { drop(c.Conn) }

// drop makes the kernel drop unsent bytes when a TCP connection is closed.
func drop(c net.Conn) {
	if tcp, ok := c.(interface{ SetLinger(seconds int) error }); ok {
		_ = tcp.SetLinger(0) // after an error, the kernel drops them later
	}
}
