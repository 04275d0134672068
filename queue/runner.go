package queue

import (
	"context"
	"errors"
)

// runner runs batches and callbacks until the server closes. If a handler ends its goroutine,
// another runner starts.
func (s *Server) runner() {
	closed := false
	defer func() {
		if !closed {
			s.life.runners.Go(s.runner)
		}
	}()
	for {
		b, ctx, callback := s.take()
		switch {
		case callback != nil:
			callback()
		case b != nil:
			s.run(ctx, b)
		default:
			closed = true
			return
		}
	}
}

// errGoexit is the error of a handler that called runtime.Goexit.
var errGoexit = errors.New("handler ended its goroutine")

// take waits for a batch or a callback. All results are nil when the server closes.
func (s *Server) take() (*Batch, context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if len(s.calls) > 0 {
			callback := s.calls[0]
			s.calls = s.calls[1:]
			return nil, nil, callback
		}
		if s.closed {
			return nil, nil, nil
		}
		if b, ctx := s.nextSuspect(); b != nil {
			return b, ctx, nil
		}
		if b, ctx := s.nextBatch(); b != nil {
			return b, ctx, nil
		}
		s.work.Wait()
	}
}

// nextBatch makes a batch from the ready keys of the next tenure.
func (s *Server) nextBatch() (*Batch, context.Context) {
	if s.stopping {
		return nil, nil
	}
	ten := s.nextTenure()
	if ten == nil {
		return nil, nil
	}
	n := min(len(ten.ready), ten.shard.line.BatchSize)
	units := ten.ready[:n:n]
	ten.ready = ten.ready[n:]
	if ten.queued = len(ten.ready) > 0; ten.queued {
		s.round = append(s.round, ten)
	}
	s.waiting -= n
	if s.starved && 2*s.waiting < s.least {
		s.starved = false
		s.kickTurners()
	}
	return s.newBatch(ten, units), ten.ctx
}

func (s *Server) newBatch(ten *tenure, units []*unit) *Batch {
	b := &Batch{
		Queue: ten.shard.line.Queue, Shard: ten.shard.id.Index, units: units, end: s.finish,
	}
	b.open.Store(1)
	b.Deliveries = units[0].list
	for i, u := range units {
		u.started = true
		if i > 0 {
			b.Deliveries = append(b.Deliveries[:len(b.Deliveries):len(b.Deliveries)], u.list...)
		}
	}
	return b
}

// run calls the handler and closes its side of the batch.
func (s *Server) run(ctx context.Context, b *Batch) {
	b.verdict.now = s.opt.Now()
	if b.units[0].suspected() && !s.startSuspect(ctx, b) {
		b.close()
		return
	}
	err := errGoexit
	defer func() {
		b.verdict = verdict{err: err, now: s.opt.Now()}
		if err != nil {
			b.verdict.interrupted = errors.Is(context.Cause(ctx), ErrInterrupted)
		}
		b.close()
	}()
	err = s.handle(ctx, b)
}

// handle calls the handler and counts it while it runs.
func (s *Server) handle(ctx context.Context, b *Batch) error {
	s.running.Add(1)
	defer s.running.Add(-1)
	return b.units[0].tenure.shard.line.handle(ctx, b)
}

// finish resolves and settles a batch after its last release.
func (s *Server) finish(b *Batch) {
	done := make([]settlement, len(b.units))
	sh := b.units[0].tenure.shard
	for i, u := range b.units {
		sh.line.resolve(u.list, b.verdict)
		done[i] = settlement{unit: u, plan: planOf(u.list, b.verdict.now)}
		if b.verdict.untouched {
			done[i].plan.fears = u.fears
		}
	}
	s.mu.Lock()
	s.cleared(b)
	s.speed.count += len(done)
	for i := range done {
		s.end(&done[i])
	}
	s.mu.Unlock()
	kick(sh.turner.kick)
}

// end queues a settlement. If the lease was lost, it drops the settlement, and the key may start
// again under the next tenure.
func (s *Server) end(st *settlement) {
	u := st.unit
	ten := u.tenure
	if !ten.lost {
		ten.pending = append(ten.pending, st)
		return
	}
	sh := ten.shard
	if sh.zombies[u.key] != u {
		return
	}
	delete(sh.zombies, u.key)
	if heir := sh.tenure; heir != nil && heir.parked[u.key] != nil {
		next := heir.parked[u.key]
		delete(heir.parked, u.key)
		s.enqueue(next)
	}
}

// enqueue makes a fetched key ready to run, or puts it back if the shard starts no more keys.
func (s *Server) enqueue(u *unit) {
	ten := u.tenure
	switch {
	case s.stopping || ten.draining || ten.shard.line.layout.paused:
		ten.pending = append(ten.pending, u.putBack())
		kick(ten.shard.turner.kick)
	case ten.shard.zombies[u.key] != nil:
		ten.parked[u.key] = u
	case u.suspected():
		s.suspects.add(u)
		s.work.Signal()
	default:
		ten.ready = append(ten.ready, u)
		s.waiting++
		if !ten.queued {
			ten.queued = true
			s.round = append(s.round, ten)
		}
		s.work.Signal()
	}
}

// withdraw puts back the keys that have not started.
func (s *Server) withdraw(ten *tenure) {
	for _, u := range ten.ready {
		ten.pending = append(ten.pending, u.putBack())
	}
	for _, u := range s.dropSuspects(ten) {
		ten.pending = append(ten.pending, u.putBack())
	}
	for _, u := range ten.parked {
		ten.pending = append(ten.pending, u.putBack())
	}
	s.waiting -= len(ten.ready)
	ten.ready = nil
	clear(ten.parked)
	kick(ten.shard.turner.kick)
}
