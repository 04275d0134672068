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

// paceKey returns the key by which requests are counted: the tenant, each key of the owner, or the
// address of a caller without a credential.
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

// reserveRate is the number of requests of reserveRoutes a minute that a caller may make beyond the
// rate.
const reserveRate = 30

// reserveKey returns the key by which reserved requests are counted: the credential, because other
// credentials of the tenant may have used up the rate, or the address of a caller without a
// credential.
func (s *Server) reserveKey(c *gin.Context) string {
	if key := request.Caller(c).Key; key != "" {
		return "reserve/" + key
	}
	return "reserve/" + s.paceKey(c)
}

// paced rejects requests to the API beyond the rate limit; see paceKey.
func (s *Server) paced(c *gin.Context) error {
	if s.opt.Rate == nil || !strings.HasPrefix(c.FullPath(), "/api/") && c.FullPath() != metricsPath {
		return nil
	}
	most := s.pace.usual
	if request.Caller(c).Role != access.Owner || request.Caller(c).Key == "" {
		most = s.pace.of(c.Request.Context(), request.Tenant(c))
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

func tooOften(most int, v throttle.Verdict) *problem.Problem {
	p := problem.New(http.StatusTooManyRequests, "RATE_LIMITED",
		"You may make "+strconv.Itoa(most)+" requests a minute, and have made them.")
	p.RetryAfter = max(seconds(v.After), 1)
	return p
}

// seconds rounds up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
