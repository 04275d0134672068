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

// probes are the paths of health checks, which have no rate limit. With a limit, a client that shares the
// address of the load balancer could make the health checks fail.
var probes = []string{"/healthz", "/readyz"}

// openPaced rejects requests beyond the limits from openCounts, on paths that need no credential
// and on unknown paths. Probes, and requests for which endsSession returns true, have no limit. The
// rejection is JSON even on the paths of pages, because rendering JSON costs less.
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

// endsSession reports whether a request is for one of reserveRoutes and has a valid session. The only
// such route that needs no credential is the sign-out. It ends the session, so these requests need no
// limit.
func (s *Server) endsSession(c *gin.Context, r *route.Route) bool {
	session := s.guard.Cookies.Get(c.Request, auth.SessionCookie)
	if !s.reserve[r] || s.opt.Access == nil || session == "" {
		return false
	}
	_, err := s.opt.Access.Session(c.Request.Context(), session, c.ClientIP())
	return err == nil
}

// openCount is a name under which requests that need no credential are counted, and the limit of that
// count.
type openCount struct {
	name string
	most int
}

// groupFactor is the limit of a group of clients, as a multiple of the limit of one client. A group is a
// /48 network of IPv6, or the clients behind a proxy that is on this machine or in a private network and
// that TrustedProxies lacks.
const groupFactor = 10

// openCounts returns the counts to which a request that needs no credential is added. They are the count
// of the client and, if the client belongs to a group, the count of the group.
func (s *Server) openCounts(c *gin.Context) []openCount {
	client, most := clientOf(c), s.opt.OpenRate
	if reported, ok := c.Value(reportedKey).(netip.Addr); ok {
		peer := client.String()
		return []openCount{{peer + " for " + conns.Client(reported).String(), most}, {"all of " + peer, groupFactor * most}}
	}
	own, site := conns.Client(client).String(), conns.Site(client).String()
	if !client.Is6() {
		return []openCount{{own, most}}
	}
	return []openCount{{own, most}, {"all of " + site, groupFactor * most}}
}

// errAtOnce is the problem of a request whose client has reached the limit of running requests.
var errAtOnce = func() *problem.Problem {
	p := problem.New(http.StatusTooManyRequests, "RATE_LIMITED", "Too many requests from your address are running.")
	p.RetryAfter = 1
	return p
}()

// atWork counts a request as running for its client until the request is answered. It rejects the
// request if the connections and running requests of the client together reach the limit. It counts only
// requests that come through a trusted proxy. For other clients, the connections are counted instead.
func (s *Server) atWork(c *gin.Context) {
	release, ok := conns.Claim(c.Request.Context(), clientOf(c))
	if !ok {
		s.reject(c, errAtOnce)
		return
	}
	defer release()
	c.Next()
}

// reject answers a request with a problem and skips the handlers that follow. On the paths of pages, the
// response is a page.
func (s *Server) reject(c *gin.Context, prob *problem.Problem) {
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
