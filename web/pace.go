package web

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/web/route"
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), route.ReadTimeout)
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
