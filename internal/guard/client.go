package guard

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrNotPublic means that a name or address leads to a network that is not public. It does not reveal
// details of that network.
var ErrNotPublic = errors.New("the address is not a public one")

// Options holds the settings of a Client. The zero value works.
type Options struct {
	// AllowPrivate allows requests to any address, for tests and intranets.
	AllowPrivate bool

	// Timeout bounds a request with its response. Default 5s.
	Timeout time.Duration
}

// Client returns a client that requests public addresses only, unless Options.AllowPrivate is set. It
// returns redirects like other responses, and does not follow them. The caller closes the idle
// connections of the client after use.
func Client(opt Options) *http.Client {
	if opt.Timeout <= 0 {
		opt.Timeout = 5 * time.Second
	}
	dialer := &net.Dialer{Timeout: opt.Timeout}
	if !opt.AllowPrivate {
		dialer.ControlContext = control
	}
	return &http.Client{
		Timeout: opt.Timeout,
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    opt.Timeout,
			ResponseHeaderTimeout:  opt.Timeout,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConns:           64,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// control rejects a new connection to an address that is not public.
func control(_ context.Context, network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !Public(to.Addr()) {
		return ErrNotPublic
	}
	return nil
}
