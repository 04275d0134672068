package proxy

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// These are the headers in which a proxy reports the address of its client.
const (
	forwardedFor = "X-Forwarded-For"
	forwarded    = "Forwarded" // RFC 7239
)

// forwardedProto is the header in which a proxy reports the scheme of a request.
const forwardedProto = "X-Forwarded-Proto"

// forwardedPrefix is the header in which a proxy reports the path prefix that it has removed.
const forwardedPrefix = "X-Forwarded-Prefix"

// Trusted holds the networks of trusted proxies. The zero value trusts no proxy.
type Trusted []netip.Prefix

// Parse parses networks such as 10.0.0.0/8 and single addresses. The error lists each invalid text.
func Parse(texts []string) (Trusted, error) {
	var out Trusted
	var errs []error
	for _, text := range texts {
		network, err := parseNetwork(strings.TrimSpace(text))
		errs = append(errs, err)
		out = append(out, network)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil || network.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf("%q is not an address or a network such as 10.0.0.0/8", text)
	case network.Bits() == 0:
		return netip.Prefix{}, fmt.Errorf("%q trusts all clients: name the addresses of the proxies", text)
	}
	return network.Masked(), nil
}

// Has reports whether an address belongs to a trusted proxy.
func (t Trusted) Has(addr netip.Addr) bool {
	for _, network := range t {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// Client returns the address of the client of a request: the peer of the connection, or the address that
// trusted proxies report. If X-Forwarded-For and Forwarded disagree, one of them may come from the
// client, so both are ignored. The result is invalid if the connection has no address.
func (t Trusted) Client(r *http.Request) netip.Addr {
	peer := Peer(r)
	if !t.Has(peer) {
		return peer
	}
	lists, standard := r.Header.Values(forwardedFor), r.Header.Values(forwarded)
	switch {
	case len(standard) == 0:
		return t.walk(peer, lists, splitList)
	case len(lists) == 0:
		return t.walk(peer, standard, splitForwarded)
	}
	byFor, byForwarded := t.walk(peer, lists, splitList), t.walk(peer, standard, splitForwarded)
	if byFor != byForwarded {
		return peer
	}
	return byFor
}

// walk follows the reports of trusted proxies from the last to the first. It ends at the first
// address that is not a trusted proxy. At an entry without an address, it returns the address of
// the proxy that added the entry.
func (t Trusted) walk(last netip.Addr, lines []string, split func(string) []string) netip.Addr {
	for i := len(lines) - 1; i >= 0; i-- {
		nodes := split(lines[i])
		for j := len(nodes) - 1; j >= 0; j-- {
			addr, ok := parseNode(nodes[j])
			if !ok {
				return last
			}
			if last = addr; !t.Has(addr) {
				return addr
			}
		}
	}
	return last
}

// TLS reports whether a request came over TLS to this process, or to a trusted proxy that reports
// so.
func (t Trusted) TLS(r *http.Request) bool {
	return r.TLS != nil || t.Has(Peer(r)) && r.Header.Get(forwardedProto) == "https"
}

// Prefix returns the path below which clients reach the service, as a trusted proxy reports it. A
// chain of proxies reports several paths, which Prefix joins. The result `ok` reports whether a
// trusted proxy has sent the header.
func (t Trusted) Prefix(r *http.Request) (path string, ok bool) {
	lines := r.Header.Values(forwardedPrefix)
	if len(lines) == 0 || !t.Has(Peer(r)) {
		return "", false
	}
	for _, part := range splitList(strings.Join(lines, ",")) {
		path += strings.TrimRight(strings.Trim(part, " \t"), "/")
	}
	return path, true
}

// Unnamed returns the peer of a request that has a header X-Forwarded-For or Forwarded. The result `is`
// reports whether there is such a header, and the peer has an address and is not a trusted proxy.
func (t Trusted) Unnamed(r *http.Request) (peer netip.Addr, is bool) {
	if len(r.Header[forwardedFor]) == 0 && len(r.Header[forwarded]) == 0 {
		return netip.Addr{}, false
	}
	peer = Peer(r)
	return peer, peer.IsValid() && !t.Has(peer)
}

// Passed reports whether a request has a header that proxies add. A request without such a header
// may still have come through a proxy.
func Passed(h http.Header) bool {
	for name := range h {
		if name == forwarded || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// Reported returns the address of the client of a request as if its peer were a trusted proxy. Any
// client can forge the address: use the result only together with a limit per peer.
func (t Trusted) Reported(r *http.Request) netip.Addr {
	peer := Peer(r)
	return append(slices.Clone(t), netip.PrefixFrom(peer, peer.BitLen())).Client(r)
}

// Peer returns the address of the peer of a request's connection, or the zero address if it is
// unknown.
func Peer(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, _ := parseAddr(host) // the zero address if there is none
	return addr
}
