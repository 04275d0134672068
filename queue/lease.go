package queue

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// margin returns how long before the end of a lease a node stops using the lease. The node needs a
// margin because it checks the time only at intervals.
func (o ServerOptions) margin() time.Duration { return o.Lease / 8 }

// renew renews the leases of this node until ctx ends. It waits a third of a lease between two renewals, or
// a tenth of a lease after a failure.
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

// renewKeys is the maximum number of leases that one script renews. On a Cluster a script renews only one
// lease, since each shard has a hash slot of its own.
const renewKeys = 64

// renewAll renews the leases of this node, the earliest end first. It ends the owned shards whose
// leases Redis reports as lost.
func (s *Server) renewAll(ctx context.Context) error {
	size := renewKeys
	if _, ok := s.rdb.(*redis.ClusterClient); ok {
		size = 1
	}
	var calls []*call
	owners := make(map[*call][]*ownedShard)
	for some := range slices.Chunk(s.owned(), size) {
		c := s.renewal(some)
		calls, owners[c] = append(calls, c), some
	}
	// A quarter of a lease is short enough that an unreachable Redis node does not let the leases on other Redis
	// nodes expire.
	bound := min(callTimeout, s.opt.Lease/4)
	s.engine.runParts(ctx, bound, calls, func(part []*call, sent time.Time) {
		for _, c := range part {
			s.renewed(owners[c], c, s.leaseEnd(sent))
		}
	})
	return firstError("renew", calls)
}

func (s *Server) renewal(some []*ownedShard) *call {
	c := &call{script: renewScript}
	for _, own := range some {
		c.keys, c.args = append(c.keys, own.shard.keys.lease), append(c.args, own.lease)
	}
	c.args = append(c.args, s.opt.Lease.Milliseconds())
	return c
}

// renewed applies the reply of one renewal script. It extends or ends the lease of each owned shard.
// After an error it changes nothing.
func (s *Server) renewed(some []*ownedShard, c *call, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, own := range some {
		switch {
		case c.err != nil || i >= len(c.reply):
		case c.reply[i] == int64(-1):
			s.lose(own)
		default:
			own.until = until
		}
	}
}

// leaseEnd returns the time until which the node may use a lease that it requested at the time `asked`.
func (s *Server) leaseEnd(asked time.Time) time.Time {
	return asked.Add(s.opt.Lease - s.opt.margin())
}

// owned returns the owned shards of this node, in the order in which their leases end.
func (s *Server) owned() []*ownedShard {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*ownedShard
	for sh := range s.shards {
		if sh.owned != nil {
			list = append(list, sh.owned)
		}
	}
	slices.SortStableFunc(list, func(a, b *ownedShard) int { return a.until.Compare(b.until) })
	return list
}

// watch ends each owned shard whose lease was not renewed in time. It runs until ctx ends. It does
// no I/O, so Redis cannot delay it.
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
		if sh.owned != nil && now.After(sh.owned.until) {
			s.lose(sh.owned)
		}
	}
}

// lose ends an owned shard whose lease has ended, or may have ended, in Redis. It drops keys that
// have not started. It cancels running handlers and drops their results. The caller holds s.mu.
func (s *Server) lose(own *ownedShard) {
	if own.lost {
		return
	}
	own.lost = true
	s.counts.Lost++
	sh, before := own.shard, s.inflight
	for _, st := range own.pending {
		delete(own.held, st.unit.key)
		s.inflight -= len(st.unit.list)
	}
	for key, u := range own.held {
		s.inflight -= len(u.list)
		if u.started {
			sh.zombies[key] = u
		}
	}
	if s.stopping {
		s.left += before - s.inflight
	}
	s.dropSuspects(own)
	s.waiting -= len(own.ready)
	own.ready, own.pending, own.parked = nil, nil, nil
	own.cancel(ErrLeaseLost)
	sh.owned = nil
	s.opt.Log.Warn("lease lost", "queue", sh.localQueue.Queue, "shard", sh.id.name(), "token", own.token)
	kick(s.keepKick)
	kick(s.settled)
}
