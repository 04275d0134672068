package queue

import (
	"context"
	"slices"
)

// obey applies the layout that Redis holds: the shards of a queue, and whether it is paused.
func (s *Server) obey(ln *line, l layout) {
	if l.shards == 0 {
		return // deleted just now; the next heartbeat writes it again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recut(ln, l)
	for _, sh := range ln.shards {
		if ten := sh.tenure; ten != nil && l.paused {
			s.withdraw(ten)
		} else if ten != nil {
			sh.poke()
		}
	}
}

// recut updates the shards of a queue to its layout. A removed shard stays until its lease is
// released. Needs mu.
func (s *Server) recut(ln *line, l layout) {
	if ln.cutAs(l) {
		ln.layout = l
		return
	}
	if l.cut == 0 && l.shards != ln.Shards && ln.layout.shards == ln.Shards {
		s.opt.Log.Info("the queue keeps its shards; Admin.Reshard changes them", "queue", ln.Queue,
			"shards", l.shards, "configured", ln.Shards)
	}
	ids := l.ids(ln.Queue)
	fresh := make([]*shard, 0, len(ids))
	for _, id := range ids {
		sh := ln.byName[id.name()]
		if sh == nil {
			sh = s.newShard(ln, id)
		}
		sh.gone = false
		fresh = append(fresh, sh)
	}
	for _, sh := range ln.shards {
		if slices.Contains(fresh, sh) {
			continue
		}
		if sh.gone = true; sh.tenure != nil {
			fresh = append(fresh, sh)
			continue
		}
		delete(ln.byName, sh.id.name())
		sh.turner.shards = slices.DeleteFunc(sh.turner.shards, func(o *shard) bool { return o == sh })
	}
	ln.shards, ln.layout = fresh, l
}

// cutAs reports whether the shards of the line follow the layout.
func (ln *line) cutAs(l layout) bool {
	was := ln.layout
	return len(ln.shards) == l.shards+l.oldShards && was.cut == l.cut && was.shards == l.shards &&
		was.oldCut == l.oldCut && was.oldShards == l.oldShards
}

func (s *Server) newShard(ln *line, id shardID) *shard {
	t := s.turners[id.Index%turners]
	sh := &shard{line: ln, id: id, keys: s.keys.shardOf(id), turner: t}
	sh.zombies = make(map[string]*unit)
	ln.byName[id.name()] = sh
	t.shards = append(t.shards, sh)
	return sh
}

// of returns the number of shards in the layout of a shard.
func (sh *shard) of(l layout) int {
	if sh.id.Cut == l.cut {
		return l.shards
	}
	return max(l.oldShards, sh.id.Index+1)
}

// retire closes the shards of older layouts, and removes layouts without keys.
func (s *Server) retire(ctx context.Context) error {
	for _, ln := range s.lines {
		s.mu.Lock()
		l := ln.layout
		first := ln.byName[shardID{Cut: l.oldCut}.name()]
		mine := l.oldShards > 0 && first != nil && first.tenure != nil
		s.mu.Unlock()
		if !mine { // one node is enough
			continue
		}
		bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
		done, err := s.engine.retire(bounded, ln.Queue, l)
		cancel()
		if err != nil {
			return err
		}
		if done {
			s.opt.Log.Info("resharding is done", "queue", ln.Queue, "shards", l.shards)
			kick(s.keepKick)
			s.announce(ctx, ln.Queue)
		}
	}
	return nil
}
