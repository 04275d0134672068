package conns

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// replaceWait is the maximum time for which a new connection waits until the connection that it replaces
// has ended. The wait slows down a flood of new connections.
const replaceWait = 20 * time.Millisecond

// stall is the time without progress after which a write counts as stalled.
const stall = time.Second

// Table holds the connections of one server. NewTable makes a Table.
type Table struct {
	limits  Limits
	trusted func(netip.Addr) bool

	mu      sync.Mutex
	all     map[*conn]struct{}
	clients map[netip.Addr]int    // number of connections
	sites   map[netip.Addr]*share // the zero address is for proxies without a request
	writers int
}

// NewTable returns an empty table. The function `trusted` reports whether an address belongs to a
// trusted proxy. If it is nil, no proxy is trusted.
func NewTable(limits Limits, trusted func(netip.Addr) bool) *Table {
	if trusted == nil {
		trusted = func(netip.Addr) bool { return false }
	}
	return &Table{
		limits: limits.withDefaults(), trusted: trusted,
		all: map[*conn]struct{}{}, clients: map[netip.Addr]int{}, sites: map[netip.Addr]*share{},
	}
}

// admit adds a connection. If necessary, it closes another one to make room. It returns nil if it rejects
// the connection.
func (t *Table) admit(raw net.Conn) *conn {
	peer := peerOf(raw)
	c := &conn{
		Conn: raw, table: t, patience: patience{t.limits.StallTimeout, t.limits.StallTimeout},
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
		t.countUnder(c, c.client)
	}
	t.mu.Unlock()
	if why != "" {
		t.limits.GivenUp(why)
	}
	victim.end()
	victim.await(replaceWait)
	if !ok {
		return nil
	}
	return c
}

// take removes a connection and its counts, unless the connection was already removed.
func (t *Table) take(c *conn) {
	if c.gone {
		return
	}
	t.leave(c)
	t.uncount(c)
	delete(t.all, c)
	c.gone = true
}

// leave removes a writing connection from the counts of writing connections. For other connections it is a
// no-op.
func (t *Table) leave(c *conn) {
	if c.phase == writing {
		c.site.writing--
		t.writers--
	}
}

// remove removes a connection that was closed.
func (t *Table) remove(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.take(c)
	if c.ended != nil && !c.closed {
		close(c.ended)
	}
	c.closed = true
}
