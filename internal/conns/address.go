package conns

import (
	"net"
	"net/netip"
)

// ownedBits is the length of the IPv6 networks that one client is given at least.
const ownedBits = 64

// peerOf returns the address of the peer of a connection; the zero address if it has none.
func peerOf(c net.Conn) netip.Addr {
	peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().WithZone("").Unmap()
}

// network returns the address under which a client counts.
func network(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	return netip.PrefixFrom(addr, ownedBits).Masked().Addr()
}
