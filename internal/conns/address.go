package conns

import (
	"net"
	"net/netip"
)

// The lengths of the IPv6 networks that one client gets at least, and often.
const (
	clientBits = 64
	siteBits   = 48
)

// peerOf returns the address of the peer of a connection; the zero address without one.
func peerOf(c net.Conn) netip.Addr {
	peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().WithZone("").Unmap()
}

// Client returns the address under which a client is counted: an IPv4 address, or the first address
// of a /64 network of IPv6.
func Client(addr netip.Addr) netip.Addr { return network(addr, clientBits) }

// Site returns the address under which a client is counted if many IPv6 networks could fill the
// table: an IPv4 address, or the first address of a /48 network of IPv6.
func Site(addr netip.Addr) netip.Addr { return network(addr, siteBits) }

func network(addr netip.Addr, bits int) netip.Addr {
	if addr = addr.WithZone("").Unmap(); !addr.Is6() {
		return addr
	}
	return netip.PrefixFrom(addr, bits).Masked().Addr()
}
