package conns

import (
	"context"
	"net"
	"net/http"
	"net/netip"
)

// Server returns a server with the limits of this package. Pass a listener from Table.Listen to its
// Serve method.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: HeaderTime,
		IdleTimeout:       IdleTime,
		MaxHeaderBytes:    HeaderBytes,
		ConnState:         state,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, key{}, c) },
	}
}

type key struct{}

// Listen returns a listener that adds its connections to the table.
func (t *Table) Listen(l net.Listener) net.Listener { return &listener{l, t} }

type listener struct {
	net.Listener
	table *Table
}

// Accept returns the next connection that the table admits. It closes connections that the table
// rejects.
func (l *listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		keepLittleUnsent(raw)
		if c := l.table.admit(raw); c != nil {
			return c, nil
		}
		drop(raw)
		_ = raw.Close() // nothing was sent
	}
}

// Claim counts a request from a trusted proxy under the address of its client, until the caller calls
// `release`. If the client already has PerAddress connections and requests, `release` is nil and `ok` is
// false. Claim does not count requests of other peers, because their connections are already counted. It does
// not count requests whose client is itself a trusted proxy.
func Claim(ctx context.Context, client netip.Addr) (release func(), ok bool) {
	c, _ := ctx.Value(key{}).(*conn)
	if c == nil || !c.proxy || c.table.trusted(client) {
		return func() {}, true
	}
	if !c.table.move(c, Client(client)) {
		return nil, false
	}
	return func() { c.table.move(c, netip.Addr{}) }, true
}

// move counts a connection under another client. If that client is at its limit, move returns false and
// changes nothing. If the connection was removed from the table, move only returns true.
func (t *Table) move(c *conn, client netip.Addr) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case c.gone:
		return true
	case client.IsValid() && t.clients[client] >= t.limits.PerAddress:
		return false
	}
	t.leave(c)
	t.uncount(c)
	c.phase = busy
	t.countUnder(c, client)
	return true
}
