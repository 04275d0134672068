package conns

import (
	"context"
	"net"
	"net/http"
	"net/netip"
)

// Server returns a server with the limits of this package. Serve it on a listener of Listen.
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

// key is the context key of a request's connection.
type key struct{}

// Listen returns a listener whose connections are in the table.
func (t *Table) Listen(l net.Listener) net.Listener { return &listener{l, t} }

type listener struct {
	net.Listener
	table *Table
}

// Accept returns the next connection for which there is room. It closes the others.
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

// Claim counts a request of a trusted proxy under the address of its client, until release is
// called. ok is false if the client has as many open requests as an address may have connections.
// Connections of other peers are already counted under their address.
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

// move counts a connection under another client, and reports whether there is room.
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
	t.displace(c)
	c.phase = busy
	t.place(c, client)
	return true
}
