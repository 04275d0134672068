package queue

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// suspects holds the fetched keys that were in flight when their last node died. One of them may have
// caused the death. Each suspect is therefore alone in its batch, and Redis counts its start in advance.
// If the node dies again, the count stays. After a first crash, all suspects start in parallel. Suspects
// whose start ended in a crash start one at a time, so that only the key that causes the crash is
// counted.
type suspects struct {
	first   []*inflightKey // not counted yet
	waiting []*inflightKey // counted, or of a queue with MaxCrashes 1
	running *Batch         // batch of a suspect from waiting
	since   time.Time
}

// add adds a suspect. With MaxCrashes 1, one counted crash sends a payload to the morgue, so even
// suspects that are not counted yet start one at a time. The caller holds s.mu.
func (q *suspects) add(u *inflightKey) {
	if u.crashes == 0 && u.owned.shard.localQueue.MaxCrashes != 1 {
		q.first = append(q.first, u)
		return
	}
	q.waiting = append(q.waiting, u)
}

// suspected reports whether the key was in flight when its last owner died.
func (u *inflightKey) suspected() bool { return u.crashes >= 0 }

// nextSuspect removes the next suspect that may start. It returns the suspect in a batch of its own,
// with the context of the batch; nil if no suspect may start. The caller holds s.mu.
func (s *Server) nextSuspect() (*Batch, context.Context) {
	q := &s.suspects
	if s.stopping {
		return nil, nil
	}
	if len(q.first) > 0 {
		u := q.first[0]
		q.first = q.first[1:]
		return s.newBatch(u.owned, []*inflightKey{u}), u.owned.ctx
	}
	if q.running != nil || len(q.waiting) == 0 {
		return nil, nil
	}
	u := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.running, q.since = s.newBatch(u.owned, []*inflightKey{u}), time.Now()
	return q.running, u.owned.ctx
}

// cleared lets the next suspect start if b is the batch of the running suspect. The caller holds
// s.mu.
func (s *Server) cleared(b *Batch) {
	if s.suspects.running == b {
		s.suspects.running = nil
		s.work.Signal()
	}
}

// passOn lets the next suspect start once the running suspect has run for a lease without a crash.
// A long job thereby does not delay the others. The caller holds s.mu.
func (s *Server) passOn(now time.Time) {
	if b := s.suspects.running; b != nil && now.Sub(s.suspects.since) > s.opt.Lease {
		s.cleared(b)
	}
}

// dropSuspects removes the suspects of an owned shard, unless they have started, and returns them. The
// caller holds s.mu.
func (s *Server) dropSuspects(own *ownedShard) (list []*inflightKey) {
	theirs := func(u *inflightKey) bool {
		if u.owned == own {
			list = append(list, u)
		}
		return u.owned == own
	}
	s.suspects.first = slices.DeleteFunc(s.suspects.first, theirs)
	s.suspects.waiting = slices.DeleteFunc(s.suspects.waiting, theirs)
	return list
}

// startSuspect counts the start of a suspect in Redis, and reports whether the handler may run. If the
// handler must not run, startSuspect sets the outcomes of the batch.
func (s *Server) startSuspect(ctx context.Context, b *Batch) bool {
	u := b.units[0]
	lq := u.owned.shard.localQueue
	if lq.MaxCrashes > 0 && u.crashes >= lq.MaxCrashes {
		u.list[0].crashed = true
		u.list[0].Resolve(Outcome{Kind: Dead, Err: fmt.Sprintf(
			"the process died each of the %d times that the job was started again", u.crashes)})
		for _, d := range u.list[1:] {
			d.Resolve(Outcome{Kind: Return})
		}
		return false
	}
	if s.countStart(ctx, u) {
		return true
	}
	for _, d := range u.list {
		d.Resolve(Outcome{Kind: Return})
	}
	b.result.untouched = true
	return false
}

// countStart raises the crash count of a suspect in Redis before its start, and reports whether the
// suspect may start. It returns false if Redis does not answer, or if the delivery or the lease has
// ended.
func (s *Server) countStart(ctx context.Context, u *inflightKey) bool {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	k := u.owned.shard.keys
	c := &call{
		script: suspectScript, keys: []string{k.lease, k.busy},
		args: []any{u.owned.lease, u.key, u.ticket(), u.crashes + 1},
	}
	s.engine.run(bounded, []*call{c})
	if c.err != nil {
		s.opt.Log.Warn("the restart of a redelivered key is not recorded", "queue", u.owned.shard.localQueue.Queue,
			"shard", u.owned.shard.id.name(), "err", c.err)
		return false
	}
	if c.status() < 0 {
		s.mu.Lock()
		s.lose(u.owned)
		s.mu.Unlock()
	}
	return c.status() == 1
}
