package web

import (
	"net"
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// reportedKey is where a request keeps the address of the client that a nearby peer reports if
// TrustedProxies lacks that peer. Only openCounts uses it, because the client can forge it.
const reportedKey = "reported"

// addressed replaces the address of the connection by the address of the client, which c.ClientIP then
// returns. It also notes whether the client speaks TLS. No other code of this package reads headers of
// proxies.
func (s *Server) addressed(c *gin.Context) {
	s.noteForwarder(c)
	c.Set(request.TLSKey, s.opt.TrustedProxies.TLS(c.Request))
	client := s.opt.TrustedProxies.Client(c.Request)
	if len(s.opt.TrustedProxies) == 0 || !client.IsValid() {
		return
	}
	c.Request = c.Request.WithContext(c.Request.Context()) // a copy: the caller keeps its request
	c.Request.RemoteAddr = net.JoinHostPort(client.String(), "0")
}

// noteForwarder notes that a peer forwards requests and that TrustedProxies lacks it.
func (s *Server) noteForwarder(c *gin.Context) {
	peer, is := s.opt.TrustedProxies.Unnamed(c.Request)
	if !is {
		return
	}
	if nearby(peer) {
		c.Set(reportedKey, s.opt.TrustedProxies.Reported(c.Request))
	}
	if s.opt.OnForwarded != nil {
		s.opt.OnForwarded(c.Request.Context(), peer)
	}
}

// providerNetwork holds the addresses that networks of providers use within (RFC 6598).
var providerNetwork = netip.MustParsePrefix("100.64.0.0/10")

// nearby reports whether an address belongs to this machine or to a network that the Internet does not
// reach.
func nearby(a netip.Addr) bool {
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || providerNetwork.Contains(a)
}
