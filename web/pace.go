package web

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/web/route"
)

// After a read, the limit of a tenant is used for paceFresh. During the next read, the old limit is
// used for up to paceStale.
const (
	paceFresh = 5 * time.Second
	paceStale = time.Minute
)

// pace holds the number of requests a minute that each tenant may make.
type pace struct {
	read  func(ctx context.Context, tenant string) (int64, error)
	usual int // limit of tenants without their own limit; 0: no limit

	mu    sync.RWMutex
	known map[string]paceOf
}

// paceOf is the limit of a tenant with the time of its read.
type paceOf struct {
	most int
	at   time.Time
}

// of returns the limit of a tenant; 0 means none. If the ledger is unavailable, it returns the last
// value. The end of a request does not cancel the read that the request has started.
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
		p.keep(tenant, paceOf{last.most, now}) // other requests use the old limit during the read
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

// ownRate returns the tenant's own limit.
func (s *Server) ownRate(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return l.Rate, err
}
