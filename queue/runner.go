package queue

import (
	"context"
	"errors"
	"slices"
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

// take waits for a batch or a callback, and returns it. All results are nil when the server closes.
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

// nextBatch takes a batch from the ready keys of the shard that the scheduler chooses. It returns
// nil if no key may start.
func (s *Server) nextBatch() (*Batch, context.Context) {
	if s.stopping {
		return nil, nil
	}
	own := s.nextOwned()
	if own == nil {
		return nil, nil
	}
	n := min(len(own.ready), own.shard.localQueue.BatchSize)
	units := own.ready[:n:n]
	own.ready = own.ready[n:]
	if own.queued = len(own.ready) > 0; own.queued {
		s.withReady = append(s.withReady, own)
	}
	s.waiting -= n
	if s.outOfRoom && 2*s.waiting < s.least {
		s.outOfRoom = false
		s.kickPollers()
	}
	return s.newBatch(own, units), own.ctx
}

func (s *Server) newBatch(own *ownedShard, units []*inflightKey) *Batch {
	b := &Batch{
		Queue: own.shard.localQueue.Queue, Shard: own.shard.id.Index, units: units, end: s.finish,
		running: &s.running,
	}
	b.open.Store(1)
	lists := make([][]*Delivery, len(units))
	for i, u := range units {
		u.started = true
		lists[i] = u.list
	}
	b.Deliveries = slices.Concat(lists...) // a copy: the handler may change it
	return b
}

// run calls the handler with the batch, and closes the batch unless the handler has called Batch.Hold.
func (s *Server) run(ctx context.Context, b *Batch) {
	b.result.now = s.opt.Now()
	if b.units[0].suspected() && !s.startSuspect(ctx, b) {
		b.close()
		return
	}
	err := errGoexit
	defer func() {
		b.result = callResult{err: err, now: s.opt.Now()}
		if err != nil {
			b.result.interrupted = errors.Is(context.Cause(ctx), ErrInterrupted)
		}
		b.close()
	}()
	err = s.handle(ctx, b)
}

// handle calls the handler and counts the call as running.
func (s *Server) handle(ctx context.Context, b *Batch) error {
	s.running.Add(1)
	defer s.running.Add(-1)
	return b.units[0].owned.shard.localQueue.handle(ctx, b)
}

// finish resolves a batch and queues its settlements. It is called after the handler has returned and
// each Batch.Hold was released.
func (s *Server) finish(b *Batch) {
	done := make([]settlement, len(b.units))
	sh := b.units[0].owned.shard
	for i, u := range b.units {
		sh.localQueue.resolve(u.list, b.result)
		done[i] = settlement{unit: u, plan: planOf(u.list, b.result.now)}
		if b.result.untouched || u.list[0].outcome.Unstarted {
			done[i].plan.crashes = u.crashes
		}
	}
	s.mu.Lock()
	s.cleared(b)
	s.speed.count += len(done)
	for i := range done {
		s.end(&done[i])
	}
	s.mu.Unlock()
	kick(sh.poller.kick)
}

// end queues a settlement. If the node has lost the lease, the settlement is dropped instead. If the node
// has leased the shard again, a new delivery of the key may now start.
func (s *Server) end(st *settlement) {
	u := st.unit
	own := u.owned
	if !own.lost {
		own.pending = append(own.pending, st)
		return
	}
	sh := own.shard
	if sh.zombies[u.key] != u {
		return
	}
	delete(sh.zombies, u.key)
	if heir := sh.owned; heir != nil && heir.parked[u.key] != nil {
		next := heir.parked[u.key]
		delete(heir.parked, u.key)
		s.enqueue(next)
	}
}

// enqueue makes a fetched key ready to run, or adds it to the suspects. If no key of the shard may start, it
// puts the key back.
// If a handler of an earlier lease still runs the key, the key waits for that handler.
func (s *Server) enqueue(u *inflightKey) {
	own := u.owned
	switch {
	case s.stopping || own.draining || own.shard.localQueue.layout.paused:
		own.pending = append(own.pending, u.putBack())
		kick(own.shard.poller.kick)
	case own.shard.zombies[u.key] != nil:
		own.parked[u.key] = u
	case u.suspected():
		s.suspects.add(u)
		s.work.Signal()
	default:
		own.ready = append(own.ready, u)
		s.waiting++
		if !own.queued {
			own.queued = true
			s.withReady = append(s.withReady, own)
		}
		s.work.Signal()
	}
}

// withdraw puts back the keys that the owned shard has fetched and not started.
func (s *Server) withdraw(own *ownedShard) {
	for _, u := range own.ready {
		own.pending = append(own.pending, u.putBack())
	}
	for _, u := range s.dropSuspects(own) {
		own.pending = append(own.pending, u.putBack())
	}
	for _, u := range own.parked {
		own.pending = append(own.pending, u.putBack())
	}
	s.waiting -= len(own.ready)
	own.ready = nil
	clear(own.parked)
	kick(own.shard.poller.kick)
}
