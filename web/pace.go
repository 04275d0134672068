package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/throttle"
)

// For how long the limit of a tenant is taken as it was: paceFresh by all, and
// paceStale by those who come while it is asked for once more.
const (
	paceFresh = 5 * time.Second
	paceStale = time.Minute
)

// pace is how many requests a minute each tenant may make.
type pace struct {
	read  func(ctx context.Context, tenant string) (int64, error)
	usual int // of tenants that have no number of their own; 0: no limit

	mu    sync.RWMutex
	known map[string]paceOf
}

// paceOf is what was known of a tenant at a time.
type paceOf struct {
	most int
	at   time.Time
}

// of is the limit of a tenant; 0 is none. While the ledger is away, it is what
// it was; who goes away does not keep it from being asked for.
func (p *pace) of(ctx context.Context, tenant string) int {
	now := time.Now()
	p.mu.RLock()
	last, ok := p.known[tenant]
	p.mu.RUnlock()
	if ok && now.Sub(last.at) < paceFresh {
		return last.most
	}
	if !ok {
		last.most = p.usual
	}
	if now.Sub(last.at) < paceStale {
		p.keep(tenant, paceOf{last.most, now}) // the others need not wait for the answer
	}
	last.at = now
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
	defer cancel()
	if own, err := p.read(ctx, tenant); err == nil {
		if last.most = int(own); own == 0 {
			last.most = p.usual
		}
	}
	p.keep(tenant, last)
	return last.most
}

func (p *pace) keep(tenant string, what paceOf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[string]paceOf{}
	}
	p.known[tenant] = what
}

// ownRate is the limit that a tenant was given.
func (s *Server) ownRate(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return l.Rate, err
}

// paceKey is what requests are counted by: all credentials of a tenant together, each key of
// the owner, or the address of a caller without a credential.
func (s *Server) paceKey(c *gin.Context) string {
	switch g := caller(c); {
	case g.Key == "":
		return conns.Client(clientOf(c)).String()
	case g.Role == access.Owner:
		return g.Key
	default:
		return "tenant/" + g.Tenant
	}
}

// paced refuses requests to the API that come too often; see paceKey.
func (s *Server) paced(c *gin.Context) error {
	if s.opt.Rate == nil || !strings.HasPrefix(c.FullPath(), "/api/") && c.FullPath() != metricsPath {
		return nil
	}
	most := s.pace.usual
	if caller(c).Role != access.Owner || caller(c).Key == "" {
		most = s.pace.of(c.Request.Context(), s.tenant(c))
	}
	if most == 0 {
		return nil
	}
	v := s.opt.Rate.Allow(c.Request.Context(), s.paceKey(c), most)
	c.Header("RateLimit-Policy", fmt.Sprintf(`"minute";q=%d;w=60`, most))
	c.Header("RateLimit", fmt.Sprintf(`"minute";r=%d;t=%d`, v.Left, seconds(v.Reset)))
	if v.OK {
		return nil
	}
	return tooOften(most, v)
}

func tooOften(most int, v throttle.Verdict) *problem {
	p := refuse(http.StatusTooManyRequests, "RATE_LIMITED",
		"You may make "+strconv.Itoa(most)+" requests a minute, and have made them.")
	p.after = max(seconds(v.After), 1)
	return p
}

// seconds rounds up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
