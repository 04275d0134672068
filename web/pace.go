package web

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/web/route"
)

// A read limit of a tenant is used for paceFresh. While it is read again, it is used for up to
// paceStale.
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

// of returns the limit of a tenant; 0 means none. Without the ledger it returns the last value. The
// end of a request does not end the read that it began.
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

// ownRate returns the limit that a tenant was given.
func (s *Server) ownRate(ctx context.Context, tenant string) (int64, error) {
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	return l.Rate, err
}
