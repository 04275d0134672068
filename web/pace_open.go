package web

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// probes are the open paths that are not counted: a client of an address must not hide the
// service from the load balancer of the same address.
var probes = []string{"/healthz", "/readyz"}

// openPaced refuses requests of an address that come too often on paths that ask for no
// credential, and on those where nothing is. The answer is JSON on all of them, for it costs
// less than a page.
func (s *Server) openPaced(c *gin.Context) error {
	r := s.routeOf(c)
	if s.opt.OpenRate == 0 || r != nil && (r.scope != everybody || slices.Contains(probes, r.path)) {
		return nil
	}
	v := s.open.Allow(clientOf(c).String(), s.opt.OpenRate)
	if v.OK {
		return nil
	}
	return tooOften(s.opt.OpenRate, v)
}

// errAtOnce is the problem of a client of a trusted proxy that has too many requests at work.
var errAtOnce = func() *problem {
	p := refuse(http.StatusTooManyRequests, "RATE_LIMITED", "Too many requests of your address are under way.")
	p.after = 1
	return p
}()

// atWork counts a request that a trusted proxy forwards under its client until it is answered.
func (p *pages) atWork(c *gin.Context) {
	release, ok := conns.Claim(c.Request.Context(), clientOf(c))
	if !ok {
		p.refused(c, errAtOnce)
		return
	}
	defer release()
	c.Next()
}

// refused answers a request with a problem, as a page where pages are, and calls no handler.
func (p *pages) refused(c *gin.Context, prob *problem) {
	fail := func(*gin.Context) error { return prob }
	if forPrograms(c.Request.URL.Path) {
		p.handle(fail)(c)
	} else {
		p.page(fail)(c)
	}
	c.Abort()
}

// clientOf returns the address of the client; the zero address if it has none.
func clientOf(c *gin.Context) netip.Addr {
	addr, err := netip.ParseAddr(c.ClientIP())
	if err != nil {
		return netip.Addr{}
	}
	return addr
}
