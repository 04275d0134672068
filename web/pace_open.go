package web

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/route"
)

// probes are the open paths without a rate limit. A client may share an address with the load
// balancer, and must not use up the limit of its health checks.
var probes = []string{"/healthz", "/readyz"}

// openPaced rejects requests of an address beyond its limit on paths that need no credential, and on
// unknown paths. The answer is always JSON, because JSON costs less than a page.
func (s *Server) openPaced(c *gin.Context) error {
	r := s.routeOf(c)
	if s.opt.OpenRate == 0 || r != nil && (r.Scope != route.Everybody || slices.Contains(probes, r.Path)) {
		return nil
	}
	for _, one := range s.openCounts(c) {
		if v := s.open.Allow(one.name, one.most); !v.OK && !s.endsSession(c, r) {
			return tooOften(one.most, v)
		}
	}
	return nil
}

// endsSession reports whether a request of reserveRoutes ends a valid session. A session ends only
// once, so these requests need no limit.
func (s *Server) endsSession(c *gin.Context, r *route.Route) bool {
	session := s.guard.Cookies.Get(c.Request, auth.SessionCookie)
	if !s.reserve[r] || s.opt.Access == nil || session == "" {
		return false
	}
	_, err := s.opt.Access.Session(c.Request.Context(), session, c.ClientIP())
	return err == nil
}

// openCount is a key by which requests of an open path are counted, and its limit.
type openCount struct {
	name string
	most int
}

// crowd is the limit of a group of clients, as a multiple of the limit of one client. A group
// shares a /48 of IPv6, or a nearby peer that reports clients and is not a trusted proxy.
const crowd = 10

// openCounts returns the counts of a request of an open path: the count of its client, then the count
// of its crowd.
func (s *Server) openCounts(c *gin.Context) []openCount {
	client, most := clientOf(c), s.opt.OpenRate
	if reported, ok := c.Value(reportedKey).(netip.Addr); ok {
		peer := client.String()
		return []openCount{{peer + " for " + conns.Client(reported).String(), most}, {"all of " + peer, crowd * most}}
	}
	own, site := conns.Client(client).String(), conns.Site(client).String()
	if !client.Is6() {
		return []openCount{{own, most}}
	}
	return []openCount{{own, most}, {"all of " + site, crowd * most}}
}

// errAtOnce is the problem of a client of a trusted proxy that has too many requests at work.
var errAtOnce = func() *problem.Problem {
	p := problem.New(http.StatusTooManyRequests, "RATE_LIMITED", "Too many requests from your address are running.")
	p.RetryAfter = 1
	return p
}()

// atWork counts a request that a trusted proxy forwards under its client until it is answered.
func (s *Server) atWork(c *gin.Context) {
	release, ok := conns.Claim(c.Request.Context(), clientOf(c))
	if !ok {
		s.refused(c, errAtOnce)
		return
	}
	defer release()
	c.Next()
}

// refused answers a request with a problem, on the paths of pages with a page, and calls no handler.
func (s *Server) refused(c *gin.Context, prob *problem.Problem) {
	fail := func(*gin.Context) error { return prob }
	if forPrograms(c.Request.URL.Path) {
		s.handle(fail)(c)
	} else {
		s.page(fail)(c)
	}
	c.Abort()
}

// clientOf returns the address of the client, or the zero address if it is unknown.
func clientOf(c *gin.Context) netip.Addr {
	addr, err := netip.ParseAddr(c.ClientIP())
	if err != nil {
		return netip.Addr{}
	}
	return addr
}
