package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// reclaimKeys and reclaimBytes bound the number and the bytes of the records in one read. A single
// record may exceed reclaimBytes. It has at most fetchBytes and one payload.
const (
	reclaimKeys  = 64
	reclaimBytes = 256 << 10
)

// reclaim puts back keys that are in flight in Redis but not on this node. There are three causes: the
// reply of their fetch was lost, their record was unreadable, or Redis lost the write that ended their
// delivery. In the third case the keys are marked as redelivered. Only the poller of the shard may call
// reclaim, and only if Redis has answered all settlements. After a failure a later round trip tries again.
func (s *Server) reclaim(ctx context.Context, own *ownedShard) {
	n, done, err := s.restore(ctx, own, 0, time.Now().Add(s.opt.Lease/6))
	s.mu.Lock()
	own.nextDue = 0
	own.mayReclaim = !done
	s.counts.Reclaimed += int64(n)
	if err != nil {
		s.backOff(own, "reclaim failed", err)
	} else {
		own.failing = 0
	}
	s.mu.Unlock()
	if n > 0 {
		s.opt.Log.Info("keys of a fetch without response put back", "queue", own.shard.localQueue.Queue,
			"shard", own.shard.id.name(), "keys", n)
	}
}

// restore puts back the keys that are in flight in Redis but not on this node. It raises the redelivery
// count of each key by the argument `redeliveries`. If the argument is 0, it raises the count by 1 for a
// delivery that this node has received before. It stops once the time `until` has passed and it has put
// back at least one key. It returns the number of keys put back, and reports whether these were all.
func (s *Server) restore(
	ctx context.Context, own *ownedShard, redeliveries int, until time.Time,
) (n int, done bool, err error) {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	keys, err := s.rdb.HKeys(bounded, own.shard.keys.busy).Result()
	if err != nil {
		return 0, false, fmt.Errorf("queue: list keys in flight: %w", err)
	}
	for keys = s.unknown(own, keys); len(keys) > 0; {
		if time.Now().After(until) && n > 0 {
			return n, false, nil
		}
		parts, err := s.parts(ctx, own, keys[:min(reclaimKeys, len(keys))])
		if err != nil {
			return n, false, err
		}
		for _, part := range parts {
			if err := s.restorePart(ctx, own, part, redeliveries); err != nil {
				return n, false, err
			}
			n, keys = n+len(part), keys[len(part):]
		}
	}
	return n, true, nil
}

// parts divides keys into parts whose records in flight have at most reclaimBytes together. A
// larger record is a part of its own.
func (s *Server) parts(ctx context.Context, own *ownedShard, keys []string) (parts [][]string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	pipe := s.rdb.Pipeline()
	sizes := make([]*redis.IntCmd, len(keys))
	for i, key := range keys {
		sizes[i] = pipe.HStrLen(ctx, own.shard.keys.busy, key)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("queue: measure keys in flight: %w", err)
	}
	from, bytes := 0, 0
	for i := range keys {
		bytes += int(sizes[i].Val())
		if bytes > reclaimBytes && i > from {
			parts = append(parts, keys[from:i])
			from, bytes = i, int(sizes[i].Val())
		}
	}
	return append(parts, keys[from:]), nil
}

// unknown returns the keys that are not in flight on this node.
func (s *Server) unknown(own *ownedShard, keys []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := keys[:0]
	for _, key := range keys {
		if own.held[key] == nil {
			out = append(out, key)
		}
	}
	return out
}

// restorePart puts back the given keys. It moves each unreadable record to the morgue as a payload,
// so that its key can run again.
func (s *Server) restorePart(ctx context.Context, own *ownedShard, keys []string, redeliveries int) error {
	ctx, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	records, err := s.rdb.HMGet(ctx, own.shard.keys.busy, keys...).Result()
	if err != nil {
		return fmt.Errorf("queue: read keys in flight: %w", err)
	}
	args := []any{own.lease, millis(s.opt.Now())}
	for i, key := range keys {
		text, ok := records[i].(string)
		if !ok {
			continue
		}
		rec, err := decodeRecord(text)
		if err != nil {
			s.opt.Log.Error("unreadable record in flight", "queue", own.shard.localQueue.Queue,
				"shard", own.shard.id.name(), "err", err)
			args = append(args, key, "", 0, 1, -1, 0, -1, 0, err.Error(), 0, 1, 0, text)
			continue
		}
		u := own.newInflightKey(key, rec)
		s.measure(u)
		st := u.putBack()
		st.plan.redeliveries += redeliveries
		if redeliveries == 0 && s.fetchedBefore(own, rec.seq) {
			st.plan.redeliveries++
		}
		if redeliveries > 0 {
			st.plan.crashes = max(rec.crashes, 0)
		}
		args, _ = st.appendTo(args, 0)
	}
	return s.sendSettle(ctx, own, args)
}

func (s *Server) measure(u *inflightKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.owned.noteSize(u)
}

// fetchedBefore reports whether this node has already received a delivery with the number `seq` or a
// later number.
func (s *Server) fetchedBefore(own *ownedShard, seq int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq <= own.seen
}

func (s *Server) sendSettle(ctx context.Context, own *ownedShard, args []any) error {
	if len(args) == 2 {
		return nil
	}
	c := settleCall(own.shard.keys, args)
	s.engine.run(ctx, []*call{c})
	if c.err != nil {
		return fmt.Errorf("queue: put back: %w", c.err)
	}
	if c.status() < 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lose(own)
		return fmt.Errorf("queue: put back: %w", ErrLeaseLost)
	}
	return nil
}
