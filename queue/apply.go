package queue

import (
	"time"
)

// apply updates the state of the node from the replies of Redis.
func (s *Server) apply(ex *exchange) {
	r := ex.read()
	ten := ex.ten
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.makeRoom(ex)
	switch {
	case ten.lost:
	case r.lost:
		s.lose(ten)
	case r.err != nil:
		s.failed(ex, r.err)
	default:
		if ex.ack != nil || ex.settle != nil || ex.fetch != nil {
			ten.failing = 0
		}
		s.confirm(ex, r.moved)
		s.admit(ten, r)
		ten.suspect = ex.want > 0 && r.busy > len(ten.held)
	}
}

// makeRoom releases the room that the exchange had reserved, and wakes the turners if one of them
// found no room.
func (s *Server) makeRoom(ex *exchange) {
	s.reserved -= ex.want
	ex.ten.asking = false
	if s.starved {
		s.starved = false
		s.kickTurners()
	}
	kick(s.settled)
}

// failed records an exchange whose effect is unknown. It is logged once per outage; a failed script
// is already logged.
func (s *Server) failed(ex *exchange, err error) {
	ten := ex.ten
	s.counts.Faults++
	s.backOff(ten, "exchange with redis failed", err)
	ten.nextDue = 0
	ten.suspect = ten.suspect || ex.want > 0
	ex.check = false
}

// backOff delays the next exchange of a tenure, and logs the error once per outage.
func (s *Server) backOff(ten *tenure, what string, err error) {
	if ten.failing == 0 && !isScriptFault(err) && s.outage.begins(err) {
		s.opt.Log.Warn(what, "queue", ten.shard.line.Queue, "shard", ten.shard.id.name(), "err", err)
	}
	ten.retryAt = time.Now().Add(backoff(ten.failing))
	ten.failing++
}

// confirm removes the settlements that Redis has carried out.
func (s *Server) confirm(ex *exchange, moved bool) {
	ten := ex.ten
	for _, st := range ex.sent {
		u := st.unit
		s.inflight -= len(u.list)
		s.counts.Settled += int64(len(u.list))
		s.counts.Buried += int64(len(st.plan.dead))
		delete(ten.held, u.key)
		s.bury(ten.shard.line, st)
	}
	ten.pending = ten.pending[len(ex.sent):]
	if moved && ex.want == 0 { // else the fetch of the same exchange has seen them
		ten.nextDue = 0
	}
	if ten.draining && len(ten.held) == 0 {
		kick(s.keepKick)
	}
}

// lostWrites logs and reports that Redis has lost writes without a restart.
func (s *Server) lostWrites(where ...any) {
	s.opt.Log.Warn("redis has lost writes", where...)
	s.opt.LostWrites()
}

// bury calls Exhausted for the dead payloads, on the goroutine of a runner.
func (s *Server) bury(ln *line, st *settlement) {
	if len(st.plan.dead) == 0 || ln.Exhausted == nil {
		return
	}
	dead := make([]DeadJob, len(st.plan.dead))
	for i, d := range st.plan.dead {
		dead[i] = DeadJob{
			Queue: ln.Queue, Key: d.Key, Payload: d.Payload, Score: d.Score, Err: clip(d.outcome.Err),
			Crashed: d.crashed,
		}
	}
	s.calls = append(s.calls, func() { s.tellDead(ln, dead) })
	s.work.Signal()
}

func (s *Server) tellDead(ln *line, dead []DeadJob) {
	defer func() {
		if value := recover(); value != nil {
			s.opt.Log.Error("exhausted callback panicked", "queue", ln.Queue, "err", value)
		}
	}()
	ln.Exhausted(s.life.handlers, dead)
}

// admit adds the fetched keys. A delivery number not above the last one means that Redis has lost
// its last writes. The payloads of that fetch may have run.
func (s *Server) admit(ten *tenure, r result) {
	past := len(r.units) > 0 && r.units[0].seq <= ten.seen
	if r.last >= 0 && r.last < ten.last {
		s.lostWrites("queue", ten.shard.line.Queue, "shard", ten.shard.id.name())
	}
	if r.last >= 0 {
		ten.last = r.last + int64(len(r.units))
	}
	if len(r.units) > 0 { // else the deliveries so far may belong to a reply that was lost
		ten.seen = max(ten.seen, ten.last)
	}
	if len(r.units) > 0 {
		ten.largest = 0
	}
	for _, u := range r.units {
		ten.meets(u)
		if past {
			u.doubt()
		}
		if u.list[0].Redelivered > 0 {
			s.counts.Redelivered += int64(len(u.list))
		}
		ten.held[u.key] = u
		s.inflight += len(u.list)
		s.enqueue(u)
	}
	ten.nextDue = min(ten.nextDue, r.head)
}
