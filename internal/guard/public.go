package guard

import (
	"net/netip"
	"strings"
)

// notPublic lists address blocks that are not public, but that net/netip does not report as private.
// These are blocks for shared use, special use and documentation, and the IPv6 blocks that contain IPv4
// addresses (NAT64, translated, 6to4, Teredo, IPv4-compatible).
const notPublic = "0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 " +
	"198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 " +
	"::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 " +
	"5f00::/16 fec0::/10"

// Public reports whether an address is on the public internet. It returns false for loopback, private,
// link-local (also cloud metadata), multicast, unspecified and special addresses, and for an address
// with a zone. An IPv4 address in an IPv6 address counts as the IPv4 address.
func Public(addr netip.Addr) bool {
	addr = addr.Unmap()
	if addr.Zone() != "" || !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return false
	}
	for block := range strings.FieldsSeq(notPublic) {
		if netip.MustParsePrefix(block).Contains(addr) {
			return false
		}
	}
	return true
}
