package queue

import (
	"time"
)

// apply updates the state of the node from the replies of Redis to a round trip.
func (s *Server) apply(trip *roundTrip) {
	r := trip.read()
	own := trip.own
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.makeRoom(trip)
	switch {
	case own.lost:
	case r.lost:
		s.lose(own)
	case r.err != nil:
		s.noteFailure(trip, r.err)
	default:
		if trip.ack != nil || trip.settle != nil || trip.fetch != nil {
			own.failing = 0
		}
		s.confirm(trip, r.moved)
		s.admit(own, r)
		own.mayReclaim = trip.want > 0 && r.busy > len(own.held)
	}
}

// makeRoom releases the room that the round trip had reserved for keys. It wakes the pollers if a poller
// had found no room.
func (s *Server) makeRoom(trip *roundTrip) {
	s.reserved -= trip.want
	trip.own.fetching = false
	if s.outOfRoom {
		s.outOfRoom = false
		s.kickPollers()
	}
	kick(s.settled)
}

// noteFailure records a failed round trip, whose effect is unknown.
func (s *Server) noteFailure(trip *roundTrip, err error) {
	own := trip.own
	s.counts.Faults++
	s.backOff(own, "fetching or settling jobs in redis failed", err)
	own.nextDue = 0
	own.mayReclaim = own.mayReclaim || trip.want > 0
	trip.check = false
}

// backOff delays the next round trip of an owned shard. It logs only the first of consecutive errors of
// a shard. It logs a refusal that concerns all shards, such as LOADING, once per outage. It does not log
// the failure of a script, because the engine has logged it.
func (s *Server) backOff(own *ownedShard, what string, err error) {
	if own.failing == 0 && !isScriptFault(err) && s.outage.begins(err) {
		s.opt.Log.Warn(what, "queue", own.shard.localQueue.Queue, "shard", own.shard.id.name(), "err", err)
	}
	own.retryAt = time.Now().Add(backoff(own.failing))
	own.failing++
}

// confirm removes the settlements that Redis has stored, counts their payloads, and reports dead payloads
// to Worker.Exhausted.
func (s *Server) confirm(trip *roundTrip, moved bool) {
	own := trip.own
	for _, st := range trip.sent {
		u := st.unit
		s.inflight -= len(u.list)
		s.counts.Settled += int64(len(u.list))
		s.counts.Dead += int64(len(st.plan.dead))
		delete(own.held, u.key)
		s.notifyExhausted(own.shard.localQueue, st)
	}
	own.pending = own.pending[len(trip.sent):]
	if moved && trip.want == 0 { // a fetch in this round trip has already returned the next run-at
		own.nextDue = 0
	}
	if own.draining && len(own.held) == 0 {
		kick(s.keepKick)
	}
}

// lostWrites logs that Redis has lost writes, and calls ServerOptions.LostWrites.
func (s *Server) lostWrites(where ...any) {
	s.opt.Log.Warn("redis has lost writes", where...)
	s.opt.LostWrites()
}

// notifyExhausted makes a runner call Worker.Exhausted if the settlement has dead payloads.
func (s *Server) notifyExhausted(lq *localQueue, st *settlement) {
	if len(st.plan.dead) == 0 || lq.Exhausted == nil {
		return
	}
	dead := make([]DeadJob, len(st.plan.dead))
	for i, d := range st.plan.dead {
		dead[i] = DeadJob{
			Queue: lq.Queue, Key: d.Key, Payload: d.Payload, Score: d.Score, Err: clip(d.outcome.Err),
			Crashed: d.crashed,
		}
	}
	s.calls = append(s.calls, func() { s.callExhausted(lq, dead) })
	s.work.Signal()
}

func (s *Server) callExhausted(lq *localQueue, dead []DeadJob) {
	defer func() {
		if value := recover(); value != nil {
			s.opt.Log.Error("exhausted callback panicked", "queue", lq.Queue, "err", value)
		}
	}()
	lq.Exhausted(s.life.handlers, dead)
}

// admit adds the fetched keys to the keys in flight. Redis has lost writes if the delivery numbers are
// not above all numbers that this node has received. The fetched payloads may then have run before, and
// admit marks them as redelivered.
func (s *Server) admit(own *ownedShard, r result) {
	past := len(r.units) > 0 && r.units[0].seq <= own.seen
	if r.last >= 0 && r.last < own.last {
		s.lostWrites("queue", own.shard.localQueue.Queue, "shard", own.shard.id.name())
	}
	if r.last >= 0 {
		own.last = r.last + int64(len(r.units))
	}
	if len(r.units) > 0 { // without units, numbers up to own.last may belong to a fetch whose reply was lost
		own.seen = max(own.seen, own.last)
	}
	if len(r.units) > 0 {
		own.largest = 0
	}
	for _, u := range r.units {
		own.noteSize(u)
		if past {
			u.doubt()
		}
		if u.list[0].Redelivered > 0 {
			s.counts.Redelivered += int64(len(u.list))
		}
		own.held[u.key] = u
		s.inflight += len(u.list)
		s.enqueue(u)
	}
	own.nextDue = min(own.nextDue, r.head)
}
