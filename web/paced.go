package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/throttle"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// paceKey returns the name under which a request is counted. All credentials of a tenant are counted
// together. Each credential of the owner, and each address without a credential, is counted separately.
// All addresses in a /64 network of IPv6 count as one.
func (s *Server) paceKey(c *gin.Context) string {
	switch g := request.Caller(c); {
	case g.Key == "":
		return conns.Client(clientOf(c)).String()
	case g.Role == access.Owner:
		return g.Key
	default:
		return "tenant/" + g.Tenant
	}
}

// reserveRate is the number of requests a minute to reserveRoutes that a caller may make after its rate
// is used up.
const reserveRate = 30

// reserveKey returns the name under which a request to reserveRoutes is counted. The name contains the
// credential, not the tenant, because another credential of the tenant may have used up the rate limit.
// For a request without a credential, the name contains the address.
func (s *Server) reserveKey(c *gin.Context) string {
	if key := request.Caller(c).Key; key != "" {
		return "reserve/" + key
	}
	return "reserve/" + s.paceKey(c)
}

// paced rejects requests to the API and to the metrics beyond their rate limit. The limit applies to all
// requests with the same paceKey together. Beyond it, requests to reserveRoutes have the limit
// reserveRate.
func (s *Server) paced(c *gin.Context) error {
	if s.opt.Rate == nil || !strings.HasPrefix(c.FullPath(), "/api/") && c.FullPath() != metricsPath {
		return nil
	}
	most := s.pace.usual
	if request.Caller(c).Role != access.Owner || request.Caller(c).Key == "" {
		most = s.pace.limitOf(c.Request.Context(), request.Tenant(c))
	}
	if most == 0 {
		return nil
	}
	v := s.opt.Rate.Allow(c.Request.Context(), s.paceKey(c), most)
	c.Header("RateLimit-Policy", fmt.Sprintf(`"minute";q=%d;w=60`, most))
	c.Header("RateLimit", fmt.Sprintf(`"minute";r=%d;t=%d`, v.Left, seconds(v.Reset)))
	if v.OK || s.reserve[s.routeOf(c)] && s.opt.Rate.Allow(c.Request.Context(), s.reserveKey(c), reserveRate).OK {
		return nil
	}
	return tooOften(most, v)
}

func tooOften(most int, v throttle.Decision) *problem.Problem {
	p := problem.New(http.StatusTooManyRequests, "RATE_LIMITED",
		"You may make "+strconv.Itoa(most)+" requests a minute, and have made them.")
	p.RetryAfter = max(seconds(v.After), 1)
	return p
}

// seconds returns a duration in seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
