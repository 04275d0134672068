package queue

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

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
