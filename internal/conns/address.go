package conns

import (
	"net"
	"net/netip"
)

// clientBits is the prefix length of the IPv6 network that counts as one client. siteBits is the prefix
// length of the IPv6 network that counts as one site. Providers assign networks of these lengths.
const (
	clientBits = 64
	siteBits   = 48
)

// peerOf returns the IP address of the peer of a connection, or the zero address if the connection
// has none.
func peerOf(c net.Conn) netip.Addr {
	peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().WithZone("").Unmap()
}

// Client returns the address under which a client is counted. An IPv4 address is returned unchanged. For
// IPv6, it is the first address of the client's /64 network.
func Client(addr netip.Addr) netip.Addr { return network(addr, clientBits) }

// Site returns the address under which all clients of a site are counted together. For IPv6, it is the
// first address of the /48 network. Without sites, the owner of a /48 network could fill a Table with
// connections from many addresses.
func Site(addr netip.Addr) netip.Addr { return network(addr, siteBits) }

func network(addr netip.Addr, bits int) netip.Addr {
	if addr = addr.WithZone("").Unmap(); !addr.Is6() {
		return addr
	}
	return netip.PrefixFrom(addr, bits).Masked().Addr()
}
