package queue

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// keep holds this node's place among the nodes and its shards to what is its
// share, until ctx ends.
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
		pause, err := s.tend(ctx)
		if err != nil && ctx.Err() == nil {
			if failures == 0 {
				s.opt.Log.Warn("cannot keep the shards", "err", err)
			}
			pause = min(pause, backoff(failures))
			failures++
		} else {
			failures = 0
		}
		timer.Reset(pause)
	}
}

// tend does one round: heartbeat, assignment, release, acquire. It returns the
// pause until the next.
func (s *Server) tend(ctx context.Context) (time.Duration, error) {
	pause := s.opt.Lease / 3
	next, err := s.beat(ctx)
	if err != nil {
		return pause, err
	}
	pause = min(pause, next)
	if err := s.releaseIdle(ctx); err != nil {
		return pause, err
	}
	if err := s.openAll(ctx); err != nil {
		return pause, err
	}
	missing := s.missing()
	if len(missing) == 0 {
		return pause, nil
	}
	free, soonest, err := s.free(ctx, missing)
	if err != nil {
		return pause, fmt.Errorf("queue: look at leases: %w", err)
	}
	if len(free) > 0 {
		if err := s.acquire(ctx, free); err != nil {
			return pause, err
		}
		if err := s.openAll(ctx); err != nil {
			return pause, err
		}
	}
	return min(pause, soonest+nodeSlack), nil
}

// nodeSlack is how long after an expiry the keeper looks again.
const nodeSlack = 10 * time.Millisecond

// beat tells Redis that this node lives and spreads the shards over the nodes
// that do. It returns the time until the first of them may be gone.
func (s *Server) beat(ctx context.Context) (time.Duration, error) {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	now, err := s.rdb.Time(bounded).Result()
	if err != nil {
		return 0, fmt.Errorf("queue: read the clock of redis: %w", err)
	}
	pipe := s.rdb.Pipeline()
	added := make([]*redis.IntCmd, len(s.lines))
	members := make([]*redis.ZSliceCmd, len(s.lines))
	for i, ln := range s.lines {
		key := s.keys.nodes(ln.Queue)
		expiry := redis.Z{Score: float64(now.Add(s.opt.Lease).UnixMilli()), Member: s.opt.Node}
		added[i] = pipe.ZAdd(bounded, key, expiry)
		pipe.ZRemRangeByScore(bounded, key, "-inf", millis(now))
		members[i] = pipe.ZRangeWithScores(bounded, key, 0, -1)
	}
	if _, err := pipe.Exec(bounded); err != nil {
		return 0, fmt.Errorf("queue: heartbeat: %w", err)
	}
	next := s.opt.Lease
	for i, ln := range s.lines {
		if added[i].Val() == 1 {
			s.announce(bounded, ln.Queue)
		}
		next = min(next, s.assign(ln, members[i].Val(), now))
	}
	return next, nil
}

// announce has the other nodes of a queue look at the leases again.
func (s *Server) announce(ctx context.Context, queue string) {
	if err := s.rdb.Publish(ctx, s.keys.wake(queue), nodesMessage).Err(); err != nil {
		s.opt.Log.Debug("announcement failed", "queue", queue, "err", err) // they look by themselves
	}
}

// assign notes which shards of a queue are this node's share, and lets go of the
// others. It returns the time until the first other node may be gone.
func (s *Server) assign(ln *line, members []redis.Z, now time.Time) time.Duration {
	next := s.opt.Lease
	nodes := make([]string, 0, len(members))
	for _, m := range members {
		node, _ := m.Member.(string)
		nodes = append(nodes, node)
		if node != s.opt.Node {
			next = min(next, time.UnixMilli(int64(m.Score)).Sub(now)+nodeSlack)
		}
	}
	slices.Sort(nodes)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, sh := range ln.shards {
		sh.wanted = ownerOf(ln.Queue, i, nodes) == s.opt.Node
		ten := sh.tenure
		if ten == nil || ten.draining == !sh.wanted {
			continue
		}
		ten.draining = !sh.wanted
		if ten.draining {
			s.withdraw(ten)
		}
		ten.nextDue = 0
		kick(sh.turner.kick)
	}
	return next
}

// ownerOf spreads the shards of a queue over the sorted nodes; queues start at
// different nodes.
func ownerOf(queue string, shard int, nodes []string) string {
	if len(nodes) == 0 {
		return ""
	}
	first := int(crc32.ChecksumIEEE([]byte(queue)) % uint32(len(nodes)))
	return nodes[(first+shard)%len(nodes)]
}

// missing lists the shards that are this node's share and not yet its own.
func (s *Server) missing() []*shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*shard
	for sh := range s.shards {
		if sh.wanted && sh.tenure == nil {
			list = append(list, sh)
		}
	}
	return list
}

// openAll puts back what earlier owners left in flight, where that is not done
// yet, and lets the work begin.
func (s *Server) openAll(ctx context.Context) error {
	for _, ten := range s.tenures() {
		s.mu.Lock()
		open := ten.open || ten.lost
		s.mu.Unlock()
		if open {
			continue
		}
		n, err := s.restore(ctx, ten, 1)
		if err != nil {
			return err
		}
		s.opt.Log.Info("keys taken over", "queue", ten.shard.line.Queue,
			"shard", ten.shard.index, "keys", n)
		s.mu.Lock()
		ten.open = true
		s.mu.Unlock()
		kick(ten.shard.turner.kick)
	}
	return nil
}

// releaseIdle gives up the leases of draining shards with nothing in flight.
func (s *Server) releaseIdle(ctx context.Context) error {
	return s.release(ctx, func(ten *tenure) bool { return ten.draining && ten.idle() })
}

// idle tells whether the tenure can end without a trace.
func (ten *tenure) idle() bool { return len(ten.held) == 0 && !ten.asking }

// release gives up the leases that match and tells the other nodes.
func (s *Server) release(ctx context.Context, match func(*tenure) bool) error {
	var leaving []*tenure
	s.mu.Lock()
	for sh := range s.shards {
		if sh.tenure != nil && match(sh.tenure) {
			leaving = append(leaving, sh.tenure)
			sh.tenure.cancel(ErrLeaseLost)
			sh.tenure.lost, sh.tenure = true, nil
		}
	}
	s.mu.Unlock()
	if len(leaving) == 0 {
		return nil
	}
	calls := make([]*call, len(leaving))
	queues := make(map[string]bool)
	for i, ten := range leaving {
		calls[i] = &call{script: releaseScript, keys: []string{ten.shard.keys.lease},
			args: []any{ten.lease}}
		queues[ten.shard.line.Queue] = true
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	runCalls(bounded, s.rdb, calls)
	for queue := range queues {
		s.announce(bounded, queue)
	}
	return firstError("release", calls)
}

// nodesMessage on a wake channel says that leases or nodes have changed; any
// other message is the number of a shard.
const nodesMessage = "nodes"

// hear listens for wake-ups until ctx ends. After every (re)connection it looks
// everywhere, since some may have been missed.
func (s *Server) hear(ctx context.Context) {
	if len(s.lines) == 0 {
		return
	}
	lines := make(map[string]*line, len(s.lines))
	channels := make([]string, len(s.lines))
	for i, ln := range s.lines {
		channels[i] = s.keys.wake(ln.Queue)
		lines[channels[i]] = ln
	}
	sub := s.rdb.Subscribe(ctx, channels...)
	defer func() { _ = sub.Close() }() // nothing to do about a connection that is gone
	in := sub.ChannelWithSubscriptions()
	for {
		select {
		case <-ctx.Done():
			return
		case msg, ok := <-in:
			if !ok {
				return
			}
			s.heard(lines[channelOf(msg)], msg)
		}
	}
}

func (s *Server) heard(ln *line, msg any) {
	m, ok := msg.(*redis.Message)
	switch {
	case ln == nil:
	case !ok:
		s.hearing.Store(true)
		s.poke(ln.shards)
		kick(s.keepKick)
	case m.Payload == nodesMessage:
		kick(s.keepKick)
	default:
		if i, err := strconv.Atoi(m.Payload); err == nil && i >= 0 && i < len(ln.shards) {
			s.poke(ln.shards[i : i+1])
		}
	}
}

// poke has the shards looked at now, if they are this node's.
func (s *Server) poke(shards []*shard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range shards {
		if sh.tenure != nil {
			sh.tenure.nextDue = 0
			kick(sh.turner.kick)
		}
	}
}
