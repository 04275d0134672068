package queue

import (
	"context"
	"time"
)

// margin is the part of a lease that a node leaves unused, since it looks at its
// clock only now and then.
func (o ServerOptions) margin() time.Duration { return o.Lease / 8 }

// renew keeps the leases of this node, three times a lease, until ctx ends.
func (s *Server) renew(ctx context.Context) {
	timer := time.NewTimer(s.opt.Lease / 3)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		pause := s.opt.Lease / 3
		if err := s.renewAll(ctx); err != nil {
			pause = s.opt.Lease / 10
			if s.outage.begins(err) {
				s.opt.Log.Warn("lease renewal failed", "err", err)
			}
		}
		timer.Reset(pause)
	}
}

// renewAll renews every lease in one round trip. One that is lost is given up.
func (s *Server) renewAll(ctx context.Context) error {
	tenures := s.tenures()
	if len(tenures) == 0 {
		return nil
	}
	calls := make([]*call, len(tenures))
	for i, ten := range tenures {
		calls[i] = &call{
			script: renewScript, keys: []string{ten.shard.keys.lease},
			args: []any{ten.lease, s.opt.Lease.Milliseconds()},
		}
	}
	// Short, so that one dead node of a cluster costs the others no lease.
	bounded, cancel := context.WithTimeout(ctx, min(callTimeout, s.opt.Lease/4))
	defer cancel()
	until := s.leaseEnd()
	s.engine.run(bounded, calls)

	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range calls {
		switch {
		case c.err != nil:
		case c.status() < 0:
			s.lose(tenures[i])
		default:
			tenures[i].until = until
		}
	}
	return firstError("renew", calls)
}

// leaseEnd is how long a lease that is asked for now can be relied on.
func (s *Server) leaseEnd() time.Time { return time.Now().Add(s.opt.Lease - s.opt.margin()) }

func (s *Server) tenures() []*tenure {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*tenure
	for sh := range s.shards {
		if sh.tenure != nil {
			list = append(list, sh.tenure)
		}
	}
	return list
}

// watch gives up leases that could not be renewed in time, until ctx ends. It
// does no I/O, so that nothing delays it.
func (s *Server) watch(ctx context.Context) {
	ticker := time.NewTicker(s.opt.margin() / 2)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.expire()
		}
	}
}

func (s *Server) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.passOn(now)
	for sh := range s.shards {
		if sh.tenure != nil && now.After(sh.tenure.until) {
			s.lose(sh.tenure)
		}
	}
}

// lose ends a tenure that Redis has, or may have, ended: what has not started is
// forgotten, what runs is cancelled and its end dropped. Needs mu.
func (s *Server) lose(ten *tenure) {
	if ten.lost {
		return
	}
	ten.lost = true
	s.counts.Lost++
	sh, before := ten.shard, s.inflight
	for _, st := range ten.pending {
		delete(ten.held, st.unit.key)
		s.inflight -= len(st.unit.list)
	}
	for key, u := range ten.held {
		s.inflight -= len(u.list)
		if u.started {
			sh.zombies[key] = u
		}
	}
	if s.stopping {
		s.left += before - s.inflight
	}
	s.dropSuspects(ten)
	s.waiting -= len(ten.ready)
	ten.ready, ten.pending, ten.parked = nil, nil, nil
	ten.cancel(ErrLeaseLost)
	sh.tenure = nil
	s.opt.Log.Warn("lease lost", "queue", sh.line.Queue, "shard", sh.id.name(), "token", ten.token)
	kick(s.keepKick)
	kick(s.settled)
}
