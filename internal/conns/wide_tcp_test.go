package conns_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// wideDoor is a listener whose connections seem to come from different /64 networks of one IPv6
// site.
type wideDoor struct{ net.Listener }

func (d wideDoor) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	peer := netip.MustParseAddrPort(c.RemoteAddr().String())
	b := peer.Addr().As4() // 127.0.X.Y becomes 2001:db8:X:Y::1
	addr := netip.MustParseAddr(fmt.Sprintf("2001:db8:%x:%x::1", b[2], b[3]))
	return peer6{c.(*net.TCPConn), addr}, nil
}

type peer6 struct {
	*net.TCPConn
	from netip.Addr
}

func (p peer6) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(p.from, 999))
}

// TestServer_TCPTableIsFullOfOneEach_NewcomersAreAnswered: clients of very many addresses, or of
// very many networks of one IPv6 site, hold all connections.
func TestServer_TCPTableIsFullOfOneEach_NewcomersAreAnswered(t *testing.T) {
	t.Parallel()
	for name, wide := range map[string]bool{"IPv4": false, "IPv6": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const most = 40
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			addr := l.Addr().String()
			if wide {
				l = wideDoor{l}
			}
			srv := conns.Server(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			served := make(chan error, 1)
			go func() { served <- srv.Serve(conns.NewTable(conns.Limits{Connections: most}, nil).Listen(l)) }()
			t.Cleanup(func() { _ = srv.Close(); <-served })
			for i := range most + most/2 {
				c, err := dialFrom(t.Context(), fmt.Sprintf("127.0.3.%d", i+1), addr)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
			}
			for i := range most / 2 {
				from := fmt.Sprintf("127.0.4.%d", i+1)
				if err := getFrom(t.Context(), from, addr); err != nil {
					t.Errorf("newcomer %d: %v", i, err)
				}
			}
		})
	}
}

func dialFrom(ctx context.Context, from, to string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return d.DialContext(ctx, "tcp", to)
}

// getFrom sends one request on a connection of its own.
func getFrom(ctx context.Context, from, to string) error {
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dialFrom(ctx, from, to) },
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+to+"/", nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
