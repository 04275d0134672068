package queue

import (
	"context"
	"fmt"
)

// reclaimKeys is how many records are read and put back at a time.
const reclaimKeys = 64

// reclaim puts back what Redis holds in flight and this node does not: fetches
// whose reply was lost. Only the turner of the shard may call it, when no
// settlement is without an answer. It tries again in a later turn if it fails.
func (s *Server) reclaim(ctx context.Context, ten *tenure) {
	n, err := s.restore(ctx, ten, 0)
	s.mu.Lock()
	ten.nextDue = 0
	ten.suspect = err != nil
	s.mu.Unlock()
	if err != nil {
		s.opt.Log.Warn("reclaim failed", "queue", ten.shard.line.Queue,
			"shard", ten.shard.id.name(), "err", err)
		return
	}
	if n > 0 {
		s.opt.Log.Info("lost fetch put back", "queue", ten.shard.line.Queue,
			"shard", ten.shard.id.name(), "keys", n)
	}
}

// restore returns every key in flight that this node does not hold to its old
// place, and adds to its count of redeliveries. It tells how many.
func (s *Server) restore(ctx context.Context, ten *tenure, again int) (int, error) {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	keys, err := s.rdb.HKeys(bounded, ten.shard.keys.busy).Result()
	if err != nil {
		return 0, fmt.Errorf("queue: list keys in flight: %w", err)
	}
	keys, odd := s.unknown(ten, keys), 0
	for i := 0; i < len(keys); i += reclaimKeys {
		part := keys[i:min(i+reclaimKeys, len(keys))]
		n, err := s.restorePart(ctx, ten, part, again)
		if err != nil {
			return i, err
		}
		odd += n
	}
	s.tellOdd(ten, odd)
	return len(keys) - odd, nil
}

// unknown keeps the keys that this node does not hold.
func (s *Server) unknown(ten *tenure, keys []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := keys[:0]
	for _, key := range keys {
		if ten.held[key] == nil {
			out = append(out, key)
		}
	}
	return out
}

// restorePart tells how many of the keys have records that cannot be read.
func (s *Server) restorePart(
	ctx context.Context, ten *tenure, keys []string, again int,
) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	records, err := s.rdb.HMGet(ctx, ten.shard.keys.busy, keys...).Result()
	if err != nil {
		return 0, fmt.Errorf("queue: read keys in flight: %w", err)
	}
	args, bytes, odd := []any{ten.lease, millis(s.opt.Now())}, 0, 0
	for i, key := range keys {
		text, ok := records[i].(string)
		if !ok {
			continue
		}
		rec, err := decodeRecord(text)
		if err != nil {
			odd++
			continue
		}
		st := ten.newUnit(key, rec).putBack()
		st.plan.again += again
		args, bytes = st.appendTo(args, bytes)
	}
	return odd, s.sendSettle(ctx, ten, args)
}

func (s *Server) sendSettle(ctx context.Context, ten *tenure, args []any) error {
	if len(args) == 2 {
		return nil
	}
	c := settleCall(ten.shard.keys, args)
	runCalls(ctx, s.rdb, []*call{c})
	if c.err != nil {
		return fmt.Errorf("queue: put back: %w", c.err)
	}
	if c.status() < 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lose(ten)
		return fmt.Errorf("queue: put back: %w", ErrLeaseLost)
	}
	return nil
}

// tellOdd notes records that cannot be read; they stay in Redis for a person.
func (s *Server) tellOdd(ten *tenure, odd int) {
	s.mu.Lock()
	ten.odd = odd
	s.mu.Unlock()
	if odd > 0 {
		s.opt.Log.Error("unreadable records in flight", "queue", ten.shard.line.Queue,
			"shard", ten.shard.id.name(), "keys", odd)
	}
}
