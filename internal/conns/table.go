package conns

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// farewell is the longest wait of a newcomer for the end of the connection that it replaces. So
// connections are opened only as fast as others end.
const farewell = 20 * time.Millisecond

// stall is how long a write waits before its connection may be closed for others.
const stall = time.Second

// Table holds the connections of one server. Make it with NewTable.
type Table struct {
	limits  Limits
	trusted func(netip.Addr) bool

	mu      sync.Mutex
	all     map[*conn]struct{}
	clients map[netip.Addr]int    // connections
	sites   map[netip.Addr]*share // the zero address is for proxies without a request
	writers int
}

// NewTable returns a table without connections. trusted reports whether an address belongs to a
// trusted proxy; nil trusts none.
func NewTable(limits Limits, trusted func(netip.Addr) bool) *Table {
	if trusted == nil {
		trusted = func(netip.Addr) bool { return false }
	}
	return &Table{
		limits: limits.withDefaults(), trusted: trusted,
		all: map[*conn]struct{}{}, clients: map[netip.Addr]int{}, sites: map[netip.Addr]*share{},
	}
}

// admit adds a connection, and may close another one for it. It returns nil if there is no room.
func (t *Table) admit(raw net.Conn) *conn {
	peer := peerOf(raw)
	c := &conn{
		Conn: raw, table: t, patience: patience{t.limits.Patience, t.limits.Patience},
		proxy: t.trusted(peer), since: time.Now(),
	}
	if !c.proxy {
		c.client = Client(peer)
	}
	t.mu.Lock()
	victim, why, ok := t.room(c)
	if ok {
		t.giveUp(victim)
		t.all[c] = struct{}{}
		t.place(c, c.client)
	}
	t.mu.Unlock()
	if why != "" {
		t.limits.GivenUp(why)
	}
	victim.end()
	victim.await(farewell)
	if !ok {
		return nil
	}
	return c
}

// take removes a connection and its counts, if it is there.
func (t *Table) take(c *conn) {
	if c.gone {
		return
	}
	t.leave(c)
	t.displace(c)
	delete(t.all, c)
	c.gone = true
}

// leave ends the phase of a connection.
func (t *Table) leave(c *conn) {
	if c.phase == writing {
		c.site.writing--
		t.writers--
	}
}

// remove removes a closed connection from the table.
func (t *Table) remove(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.take(c)
	if c.ended != nil && !c.closed {
		close(c.ended)
	}
	c.closed = true
}
