package queue

import (
	"context"
	"fmt"
	"time"
)

// keep renews the heartbeat of this node. It acquires and releases shards so that the node owns the
// shards assigned to it. It runs until ctx ends.
func (s *Server) keep(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	failures := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.keepKick:
		case <-timer.C:
		}
		pause, err := s.maintain(ctx)
		if err != nil && ctx.Err() == nil {
			if failures == 0 && s.outage.begins(err) {
				s.opt.Log.Warn("renewing leases and heartbeat failed", "err", err)
			}
			pause = min(pause, backoff(failures))
			failures++
		} else {
			failures = 0
		}
		timer.Reset(pause)
	}
}

// maintain sends the heartbeat once, and releases and acquires shards. It returns the pause until its
// next call.
func (s *Server) maintain(ctx context.Context) (time.Duration, error) {
	pause := s.opt.Lease / 3
	next, err := s.beat(ctx)
	if err != nil {
		return pause, err
	}
	pause = min(pause, next)
	if err := s.retire(ctx); err != nil {
		return pause, err
	}
	if err := s.releaseIdle(ctx); err != nil {
		return pause, err
	}
	all, err := s.openAll(ctx)
	if err != nil {
		return pause, err
	}
	if !all {
		pause = leastPause
	}
	missing := s.missing()
	if len(missing) == 0 {
		return pause, nil
	}
	free, soonest, err := s.free(ctx, missing)
	if err != nil {
		return pause, fmt.Errorf("queue: read leases: %w", err)
	}
	if len(free) > 0 {
		if err := s.acquire(ctx, free); err != nil {
			return pause, err
		}
		if all, err = s.openAll(ctx); err != nil {
			return pause, err
		}
		if !all {
			pause = leastPause
		}
	}
	return min(pause, soonest+nodeSlack), nil
}

// missing lists the shards that are assigned to this node but not owned by it yet.
func (s *Server) missing() []*shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*shard
	for sh := range s.shards {
		if sh.wanted && sh.owned == nil {
			list = append(list, sh)
		}
	}
	return list
}

// openAll puts back the keys that earlier owners left in flight, and opens the shards for work. It
// stops after a sixth of a lease, so that it does not delay the heartbeat. It reports whether all
// shards are open.
func (s *Server) openAll(ctx context.Context) (bool, error) {
	until := time.Now().Add(s.opt.Lease / 6)
	for _, own := range s.owned() {
		s.mu.Lock()
		open := own.open || own.lost
		s.mu.Unlock()
		if open {
			continue
		}
		n, done, err := s.restore(ctx, own, 1, until)
		if err != nil || !done {
			return false, err
		}
		s.opt.Log.Info("keys taken over", "queue", own.shard.localQueue.Queue,
			"shard", own.shard.id.name(), "keys", n)
		s.mu.Lock()
		own.open = true
		s.mu.Unlock()
		kick(own.shard.poller.kick)
	}
	return true, nil
}

// releaseIdle releases the leases of idle shards that are no longer assigned to this node.
func (s *Server) releaseIdle(ctx context.Context) error {
	return s.release(ctx, func(own *ownedShard) bool { return own.draining && own.idle() })
}

// idle reports whether the owned shard has no key in flight and no unanswered fetch.
func (own *ownedShard) idle() bool { return len(own.held) == 0 && !own.fetching }

// release releases the leases of the owned shards for which the function `match` returns true, and
// notifies the other nodes.
func (s *Server) release(ctx context.Context, match func(*ownedShard) bool) error {
	var leaving []*ownedShard
	s.mu.Lock()
	for sh := range s.shards {
		if sh.owned != nil && match(sh.owned) {
			leaving = append(leaving, sh.owned)
			sh.owned.cancel(ErrLeaseLost)
			sh.owned.lost, sh.owned = true, nil
		}
	}
	s.mu.Unlock()
	if len(leaving) == 0 {
		return nil
	}
	calls := make([]*call, len(leaving))
	queues := make(map[string]bool)
	for i, own := range leaving {
		calls[i] = &call{
			script: releaseScript, keys: []string{own.shard.keys.lease},
			args: []any{own.lease},
		}
		queues[own.shard.localQueue.Queue] = true
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	s.engine.run(bounded, calls)
	for queue := range queues {
		s.announce(bounded, queue)
	}
	return firstError("release", calls)
}
