package web

import (
	"context"
	"sync"
	"time"
)

// A cached limit of a tenant is read again when it is older than paceFresh. During that read, other
// requests use the cached limit if it is younger than paceStale. A read may take paceRead: while the ledger does
// not answer, a request waits no longer for the limit.
const (
	paceFresh = 5 * time.Second
	paceStale = time.Minute
	paceRead  = 2 * time.Second
)

// pace is a cache of the rate limits of tenants, in requests a minute.
type pace struct {
	read  func(ctx context.Context, tenant string) (int64, error)
	usual int // limit of tenants without their own limit; 0: no limit

	mu    sync.RWMutex
	known map[string]tenantPace
}

// tenantPace is the limit of a tenant, and the time when it was read.
type tenantPace struct {
	most int
	at   time.Time
}

// limitOf returns the limit of a tenant; 0 means no limit. If the limit cannot be read, it returns the last
// known limit or, without one, the usual limit. The end of the request does not cancel the read, because
// other requests use the result.
func (p *pace) limitOf(ctx context.Context, tenant string) int {
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
		p.keep(tenant, tenantPace{last.most, now}) // other requests use the old limit during the read
	}
	last.at = now
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), paceRead)
	defer cancel()
	if own, err := p.read(ctx, tenant); err == nil {
		if last.most = int(own); own == 0 {
			last.most = p.usual
		}
	}
	p.keep(tenant, last)
	return last.most
}

func (p *pace) keep(tenant string, what tenantPace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[string]tenantPace{}
	}
	p.known[tenant] = what
}

// ownRate returns the limit that is set for the tenant, in requests a minute; 0 means that none is set.
func (s *Server) ownRate(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return l.Rate, err
}
