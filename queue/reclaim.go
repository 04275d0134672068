package queue

import (
	"context"
	"fmt"
)

// reclaimKeys is how many records are read and put back at a time.
const reclaimKeys = 64

// reclaim puts back what Redis holds in flight and this node does not: fetches
// whose reply was lost, and, marked as redelivered, what was ended before Redis lost
// its last writes. Only the turner of the shard may call it, when no
// settlement is without an answer. It tries again in a later turn if it fails.
func (s *Server) reclaim(ctx context.Context, ten *tenure) {
	n, err := s.restore(ctx, ten, 0)
	s.mu.Lock()
	ten.nextDue = 0
	ten.suspect = err != nil
	s.counts.Reclaimed += int64(n)
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
	keys = s.unknown(ten, keys)
	for i := 0; i < len(keys); i += reclaimKeys {
		part := keys[i:min(i+reclaimKeys, len(keys))]
		if err := s.restorePart(ctx, ten, part, again); err != nil {
			return i, err
		}
	}
	return len(keys), nil
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

// restorePart also moves records that cannot be read to the morgue, whole, so that
// they hold up nothing.
func (s *Server) restorePart(ctx context.Context, ten *tenure, keys []string, again int) error {
	ctx, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	records, err := s.rdb.HMGet(ctx, ten.shard.keys.busy, keys...).Result()
	if err != nil {
		return fmt.Errorf("queue: read keys in flight: %w", err)
	}
	args, bytes := []any{ten.lease, millis(s.opt.Now())}, 0
	for i, key := range keys {
		text, ok := records[i].(string)
		if !ok {
			continue
		}
		rec, err := decodeRecord(text)
		if err != nil {
			s.opt.Log.Error("unreadable record in flight", "queue", ten.shard.line.Queue,
				"shard", ten.shard.id.name(), "err", err)
			args = append(args, key, "", 0, 1, -1, 0, -1, 0, err.Error(), 0, 1, 0, text)
			continue
		}
		st := ten.newUnit(key, rec).putBack()
		st.plan.again += again
		if again == 0 && s.fetchedBefore(ten, rec.seq) {
			st.plan.again++
		}
		if again > 0 {
			st.plan.fears = max(rec.fears, 0)
		}
		if args, bytes = st.appendTo(args, bytes); bytes <= fetchBytes {
			continue
		}
		if err := s.sendSettle(ctx, ten, args); err != nil {
			return err
		}
		args, bytes = args[:2:2], 0
	}
	return s.sendSettle(ctx, ten, args)
}

// fetchedBefore tells of a delivery that this node has had in hand, and ended.
func (s *Server) fetchedBefore(ten *tenure, seq int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq <= ten.seen
}

func (s *Server) sendSettle(ctx context.Context, ten *tenure, args []any) error {
	if len(args) == 2 {
		return nil
	}
	c := settleCall(ten.shard.keys, args)
	s.engine.run(ctx, []*call{c})
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
