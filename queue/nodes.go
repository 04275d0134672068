package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// nodeSlack is the pause between the expiry of a heartbeat or lease of another node and the check for it.
const nodeSlack = 10 * time.Millisecond

// beat sends the heartbeat of this node, reads the layout of each queue, and assigns the shards to
// the live nodes. It returns the time until the first heartbeat of another node may expire.
func (s *Server) beat(ctx context.Context) (time.Duration, error) {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	now, err := s.lastBeat(bounded)
	if err != nil {
		return 0, fmt.Errorf("queue: read the clock of redis: %w", err)
	}
	report := s.report()
	s.beats = append(s.beats, string(report))
	enlisted := s.enlist(now, report)
	if err := runExempt(bounded, s.rdb, "heartbeat", enlisted...); err != nil {
		return 0, err
	}
	s.beats, s.beatAt = s.beats[len(s.beats)-1:], time.Now()
	pipe := s.rdb.Pipeline()
	looks := make([]queueReplies, len(s.queues))
	for i, lq := range s.queues {
		looks[i] = s.queryQueue(bounded, pipe, lq, now)
	}
	drains := pipe.SMembers(bounded, s.keys.drains())
	if _, err := pipe.Exec(bounded); err != nil {
		return 0, fmt.Errorf("queue: heartbeat: %w", err)
	}
	next := s.opt.Lease
	for i, lq := range s.queues {
		if enlisted[i].status() == 1 {
			s.announce(bounded, lq.Queue)
		}
		l := readLayout(looks[i].layout.Val())
		if l.shards == 0 {
			if l, err = s.keys.begin(bounded, s.rdb, lq.Queue, lq.Shards); err != nil {
				return 0, fmt.Errorf("queue: add %q to redis: %w", lq.Queue, err)
			}
		}
		s.applyLayout(lq, l)
		next = min(next, s.assign(lq, looks[i].members.Val(), drains.Val(), now))
	}
	return next, nil
}

// lastBeat returns the time of Redis. It calls lostWrites if Redis has lost the last report that it
// acknowledged, and has no later report. It does not check a report that is older than a lease, because
// the report may have expired.
func (s *Server) lastBeat(ctx context.Context) (time.Time, error) {
	pipe := s.rdb.Pipeline()
	clock, report := pipe.Time(ctx), pipe.Get(ctx, s.keys.node(s.opt.Node))
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return time.Time{}, err
	}
	if time.Since(s.beatAt) < s.opt.Lease && !slices.Contains(s.beats, report.Val()) {
		s.beats = nil
		s.lostWrites("node", s.opt.Node)
	}
	return clock.Val(), nil
}

// enlist returns the commands of a heartbeat. For each queue, in order, a command stores the time at
// which the entry of this node expires. The last command stores the report of the node.
func (s *Server) enlist(now time.Time, report []byte) []*call {
	calls := make([]*call, 0, len(s.queues)+1)
	until := now.Add(s.opt.Lease).UnixMilli()
	for _, lq := range s.queues {
		calls = append(calls, exempt(onZset, "ZADD", s.keys.nodes(lq.Queue), until, s.opt.Node))
	}
	return append(calls, exempt(onString, "SET", s.keys.node(s.opt.Node), report,
		"PX", 2*s.opt.Lease.Milliseconds()))
}

// queueReplies holds the commands with which a heartbeat reads one queue.
type queueReplies struct {
	members *redis.ZSliceCmd
	layout  *redis.MapStringStringCmd
}

func (s *Server) queryQueue(
	ctx context.Context, pipe redis.Pipeliner, lq *localQueue, now time.Time,
) (look queueReplies) {
	key := s.keys.nodes(lq.Queue)
	pipe.ZRemRangeByScore(ctx, key, "-inf", millis(now))
	look.members = pipe.ZRangeWithScores(ctx, key, 0, -1)
	look.layout = pipe.HGetAll(ctx, s.keys.layout(lq.Queue))
	return look
}

// announce notifies the nodes of a queue, so that they check the leases.
func (s *Server) announce(ctx context.Context, queue string) {
	if err := s.rdb.Publish(ctx, s.keys.wake(queue), nodesMessage).Err(); err != nil {
		s.opt.Log.Debug("announcement failed", "queue", queue, "err", err) // the nodes also check at intervals
	}
}

// assign decides which shards of a queue belong to this node. Owned shards that no longer belong to it
// start to drain, and shards that belong to it again stop draining. The result is the time until the
// first heartbeat of another node may expire.
func (s *Server) assign(
	lq *localQueue, members []redis.Z, drains []string, now time.Time,
) time.Duration {
	next := s.opt.Lease
	nodes := make([]string, 0, len(members))
	for _, m := range members {
		node, _ := m.Member.(string)
		if !slices.Contains(drains, node) {
			nodes = append(nodes, node)
		}
		if node != s.opt.Node {
			next = min(next, time.UnixMilli(int64(m.Score)).Sub(now)+nodeSlack)
		}
	}
	slices.Sort(nodes)
	s.mu.Lock()
	defer s.mu.Unlock()
	ready := slices.Contains(nodes, s.opt.Node)
	for _, sh := range lq.shards {
		info := ShardInfo{Queue: lq.Queue, Shard: sh.id.Index, Shards: sh.shardCount(lq.layout)}
		sh.wanted = ready && !sh.gone && s.opt.Assign(info, s.opt.Node, nodes)
		own := sh.owned
		if own == nil || own.draining == !sh.wanted {
			continue
		}
		own.draining = !sh.wanted
		if own.draining {
			s.withdraw(own)
		}
		own.nextDue = 0
		kick(sh.poller.kick)
	}
	return next
}
