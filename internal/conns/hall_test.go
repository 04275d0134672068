package conns_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// connServer is a server whose clients have addresses of the test's choice. It runs in a bubble of
// package synctest, with the clock of the bubble.
type connServer struct {
	t      *testing.T
	doors  chan net.Conn
	closed chan struct{}
	srv    *http.Server
	served chan error
	ended  chan time.Duration // how long a handler of /large wrote
	hold   chan struct{}      // ends handlers of /wait
}

// large is the number of bytes of the answer of /large.
const large = 1 << 20

// proxies lists the trusted proxies of a connServer.
var proxies = netip.MustParsePrefix("10.0.0.0/8")

func newConnServer(t *testing.T, limits conns.Limits) *connServer {
	h := &connServer{
		t: t, doors: make(chan net.Conn), closed: make(chan struct{}), served: make(chan error, 1),
		ended: make(chan time.Duration, 100), hold: make(chan struct{}),
	}
	table := conns.NewTable(limits, proxies.Contains)
	h.srv = conns.Server(h)
	go func() { h.served <- h.srv.Serve(table.Listen(h)) }()
	return h
}

// end closes the server. Tests must do so before their bubble of package synctest ends.
func (h *connServer) end() {
	close(h.hold)
	if err := h.srv.Close(); err != nil {
		h.t.Error(err)
	}
	<-h.served
}

// ServeHTTP claims a place for the client that X-Forwarded-For names.
func (h *connServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if client, err := netip.ParseAddr(r.Header.Get("X-Forwarded-For")); err == nil {
		release, ok := conns.Claim(r.Context(), client)
		if !ok {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		defer release()
	}
	switch r.URL.Path {
	case "/large":
		begun := time.Now()
		_, _ = w.Write(make([]byte, large)) // Write also ends if the client closes the connection
		h.ended <- time.Since(begun)
	case "/wait":
		<-h.hold
	}
}

func (h *connServer) Accept() (net.Conn, error) {
	select {
	case c := <-h.doors:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *connServer) Close() error { close(h.closed); return nil }

func (h *connServer) Addr() net.Addr { return &net.TCPAddr{} }

// peer is one end of a pipe, with the address of a client.
type peer struct {
	net.Conn
	from net.Addr
}

func (p peer) RemoteAddr() net.Addr { return p.from }

// guest is a client of a connServer.
type guest struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

// dial connects from an address.
func (h *connServer) dial(from string) *guest {
	h.t.Helper()
	here, there := net.Pipe()
	addr := net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 999))
	h.doors <- peer{there, addr}
	h.t.Cleanup(func() { _ = here.Close() })
	return &guest{h.t, here, bufio.NewReader(here)}
}

// asks sends a request, with a header if one is given.
func (g *guest) asks(path string, header ...string) {
	g.t.Helper()
	text := "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(header, "\r\n")
	if len(header) > 0 {
		text += "\r\n"
	}
	if _, err := io.WriteString(g, text+"\r\n"); err != nil {
		g.t.Error(err)
	}
}

// status reads a whole response, and returns its status.
func (g *guest) status() int {
	g.t.Helper()
	res, err := http.ReadResponse(g.in, nil)
	if err != nil {
		g.t.Error(err)
		return 0
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		g.t.Error(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// out reports whether the server has closed the connection.
func (g *guest) out() bool {
	g.t.Helper()
	err := g.SetReadDeadline(time.Time{}) // fails if the other end of the pipe is closed
	if err != nil && !errors.Is(err, io.ErrClosedPipe) {
		g.t.Error(err)
	}
	return err != nil
}
