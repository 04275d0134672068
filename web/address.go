package web

import (
	"net"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/proxy"
)

// tlsKey is where a request keeps whether its browser speaks TLS.
const tlsKey = "tls"

// addressed replaces the address of the connection by that of the client, which
// c.ClientIP then returns, and notes whether the client speaks TLS. No other code of this package reads headers of proxies.
func (s *Server) addressed(c *gin.Context) {
	if peer, is := s.opt.TrustedProxies.Unnamed(c.Request); is && s.opt.OnForwarded != nil {
		s.opt.OnForwarded(c.Request.Context(), peer)
	}
	c.Set(tlsKey, s.opt.TrustedProxies.TLS(c.Request))
	client := s.opt.TrustedProxies.Client(c.Request)
	if len(s.opt.TrustedProxies) == 0 || !client.IsValid() {
		return
	}
	c.Request = c.Request.WithContext(c.Request.Context()) // a copy: the caller keeps its request
	c.Request.RemoteAddr = net.JoinHostPort(client.String(), "0")
}

// direct reports whether a request came from this machine and through no proxy, as far as its
// address, host and headers show.
func (s *Server) direct(c *gin.Context) bool {
	client := clientOf(c)
	return client.IsLoopback() && !s.opt.TrustedProxies.Has(client) &&
		!proxy.Passed(c.Request.Header) && loopbackHost(c.Request.Host)
}
