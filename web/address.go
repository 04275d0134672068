package web

import (
	"net"
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// reportedKey is the context key of the client address that a proxy on this machine or in a private
// network reports. The address is stored only if TrustedProxies lacks the proxy. Only openCounts reads
// it, because a client can forge it.
const reportedKey = "reported"

// setClient stores whether the client uses TLS. If there are TrustedProxies and the client's address is
// known, setClient makes that address the remote address of the request. c.ClientIP then returns it.
func (s *Server) setClient(c *gin.Context) {
	s.noteForwarder(c)
	c.Set(request.TLSKey, s.opt.TrustedProxies.TLS(c.Request))
	client := s.opt.TrustedProxies.Client(c.Request)
	if len(s.opt.TrustedProxies) == 0 || !client.IsValid() {
		return
	}
	c.Request = c.Request.WithContext(c.Request.Context()) // a copy: the request of the caller stays unchanged
	c.Request.RemoteAddr = net.JoinHostPort(client.String(), "0")
}

// noteForwarder handles a request from a proxy that TrustedProxies lacks. It calls OnForwarded, if set. For
// a proxy on this machine or in a private network, it also stores the client address that the proxy reports.
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

// providerNetwork holds the addresses that Internet providers use inside their networks (RFC 6598).
var providerNetwork = netip.MustParsePrefix("100.64.0.0/10")

// nearby reports whether an address belongs to this machine, or to a network that is not reachable from
// the Internet.
func nearby(a netip.Addr) bool {
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || providerNetwork.Contains(a)
}
