package queue

import (
	"context"
	"slices"
)

// applyLayout changes the shards of a queue to those of a layout that was read from Redis. If the queue
// is paused, it also puts back the fetched keys that have not started.
func (s *Server) applyLayout(lq *localQueue, l layout) {
	if l.shards == 0 {
		return // the layout was deleted just now; the next heartbeat writes it again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.relayout(lq, l)
	for _, sh := range lq.shards {
		if own := sh.owned; own != nil && l.paused {
			s.withdraw(own)
		} else if own != nil {
			sh.poke()
		}
	}
}

// relayout creates and removes the shards of a queue according to a layout. A removed shard stays
// until this node has released its lease. The caller holds s.mu.
func (s *Server) relayout(lq *localQueue, l layout) {
	if lq.follows(l) {
		lq.layout = l
		return
	}
	if l.generation == 0 && l.shards != lq.Shards && lq.layout.shards == lq.Shards {
		s.opt.Log.Warn("the queue keeps the shards of its first start: to change them, run \"worker reshard QUEUE N\" "+
			"or call Admin.Reshard", "queue", lq.Queue,
			"shards", l.shards, "configured", lq.Shards)
	}
	ids := l.ids(lq.Queue)
	fresh := make([]*shard, 0, len(ids))
	for _, id := range ids {
		sh := lq.byName[id.name()]
		if sh == nil {
			sh = s.newShard(lq, id)
		}
		sh.gone = false
		fresh = append(fresh, sh)
	}
	for _, sh := range lq.shards {
		if slices.Contains(fresh, sh) {
			continue
		}
		if sh.gone = true; sh.owned != nil {
			fresh = append(fresh, sh)
			continue
		}
		delete(lq.byName, sh.id.name())
		sh.poller.shards = slices.DeleteFunc(sh.poller.shards, func(o *shard) bool { return o == sh })
	}
	lq.shards, lq.layout = fresh, l
}

// follows reports whether this node already has the shards of the layout.
func (lq *localQueue) follows(l layout) bool {
	current := lq.layout
	return len(lq.shards) == l.shards+l.oldShards && current.generation == l.generation && current.shards == l.shards &&
		current.oldGeneration == l.oldGeneration && current.oldShards == l.oldShards
}

func (s *Server) newShard(lq *localQueue, id shardID) *shard {
	t := s.pollers[id.Index%pollers]
	sh := &shard{localQueue: lq, id: id, keys: s.keys.shardOf(id), poller: t}
	sh.zombies = make(map[string]*inflightKey)
	lq.byName[id.name()] = sh
	t.shards = append(t.shards, sh)
	return sh
}

// shardCount returns the number of shards in the layout of the shard. If that layout is gone, the result
// is at least one more than the index of the shard.
func (sh *shard) shardCount(l layout) int {
	if sh.id.Generation == l.generation {
		return l.shards
	}
	return max(l.oldShards, sh.id.Index+1)
}

// retire closes the shards of the older layout of each queue, and removes the layout once no key waits or
// is in flight in it. For each queue, only the node that owns the first shard of the older layout does
// this.
func (s *Server) retire(ctx context.Context) error {
	for _, lq := range s.queues {
		s.mu.Lock()
		l := lq.layout
		first := lq.byName[shardID{Generation: l.oldGeneration}.name()]
		mine := l.oldShards > 0 && first != nil && first.owned != nil
		s.mu.Unlock()
		if !mine { // the owner of the first shard does it
			continue
		}
		bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
		done, err := s.engine.retire(bounded, lq.Queue, l)
		cancel()
		if err != nil {
			return err
		}
		if done {
			s.opt.Log.Info("resharding is done", "queue", lq.Queue, "shards", l.shards)
			kick(s.keepKick)
			s.announce(ctx, lq.Queue)
		}
	}
	return nil
}
