package conns

import (
	"context"
	"net"
	"net/http"
	"net/netip"
)

// Server returns a server with the limits of this package. Serve a listener that Listen
// returned.
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

// key is that of the connection in the context of a request.
type key struct{}

// Listen returns a listener whose connections are in the table.
func (t *Table) Listen(l net.Listener) net.Listener { return &listener{l, t} }

type listener struct {
	net.Listener
	table *Table
}

// Accept returns the next connection for which there is room. It closes others.
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

// Claim counts a request that a trusted proxy forwards under the address of its client, until
// release is called. ok is false if the client has as many requests at work as an address may
// have connections. Other connections count under their address already.
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

// move puts a connection under another client, and reports whether there is room.
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
