package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Stop ends the work of the node. From then on, the node fetches and starts no more keys. Fetched
// keys that have not started go back unchanged. Running handlers get StopTimeout, then Stop cancels
// their contexts with cause ErrInterrupted. It releases each shard as soon as its work is settled.
// Stop waits at most two more leases for a handler that ignores its context. The shard of such a
// handler passes to another node when the lease expires. Stop may be called more than once, and
// without Start; every call waits for the end.
func (s *Server) Stop() { s.life.once.Do(s.stop) }

func (s *Server) stop() {
	s.mu.Lock()
	s.stopping = true
	started := s.life.started
	for sh := range s.shards {
		if sh.owned != nil {
			s.withdraw(sh.owned)
		}
	}
	s.mu.Unlock()
	if !started {
		return
	}
	s.life.unhook()
	s.life.endKeep()
	s.life.keeper.Wait()
	s.unlist()

	if !s.drain(s.opt.StopTimeout) {
		s.life.interrupt(ErrInterrupted)
		s.drain(s.opt.Lease)
	}
	left := s.closeRunners()
	s.life.interrupt(ErrInterrupted)
	s.life.endLoops()
	s.life.loops.Wait()
	if s.opt.OnStopped != nil {
		s.opt.OnStopped(errors.Join(left, s.unsettled()))
	}
}

// ErrUnsettled is the error for OnStopped if Redis has not stored the outcome of payloads in
// flight. The text contains the number of these payloads, which the next owner runs again.
var ErrUnsettled = errors.New("payloads are left in flight")

// unsettled returns ErrUnsettled if payloads are left in flight, else nil.
func (s *Server) unsettled() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.inflight + s.left; n > 0 {
		return fmt.Errorf("%w: %d", ErrUnsettled, n)
	}
	return nil
}

// Abandon ends the work of the node like a crash, for tests. It settles no keys and releases no leases,
// so the leases expire. It cancels running handlers with cause ErrLeaseLost, and waits for them for at
// most one lease. A later Stop is a no-op.
func (s *Server) Abandon() { s.life.once.Do(s.abandon) }

func (s *Server) abandon() {
	s.mu.Lock()
	s.stopping = true
	started := s.life.started
	s.mu.Unlock()
	if !started {
		return
	}
	s.life.unhook()
	s.life.endKeep() // otherwise the keeper would acquire the lost leases again
	s.life.keeper.Wait()
	s.mu.Lock()
	for sh := range s.shards {
		if sh.owned != nil {
			s.lose(sh.owned)
		}
	}
	s.mu.Unlock()
	s.life.endLoops()
	s.life.loops.Wait()
	left := s.closeRunners()
	s.life.interrupt(ErrLeaseLost)
	if s.opt.OnStopped != nil {
		s.opt.OnStopped(left)
	}
}

// drain releases each owned shard as soon as Redis has all its settlements. It ends when all shards are
// released or the time `d` has passed, and reports whether all shards are released.
func (s *Server) drain(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		s.releaseSettled()
		if len(s.owned()) == 0 {
			return true
		}
		select {
		case <-s.settled:
		case <-timer.C:
			return false
		}
	}
}

func (s *Server) releaseSettled() {
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.timeout())
	defer cancel()
	if err := s.release(ctx, (*ownedShard).idle); err != nil {
		s.opt.Log.Warn("cannot release the leases", "err", err) // they expire
	}
}

// errLeftBehind is the error of a stopped server whose handlers have not returned.
var errLeftBehind = errors.New("a handler has not returned after its context was canceled")

// closeRunners ends the runners and waits for them for at most one lease.
func (s *Server) closeRunners() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.work.Broadcast()
	done := make(chan struct{})
	go func() { // ends with the last handler
		s.life.runners.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(s.opt.Lease):
		s.opt.Log.Error("a handler has not returned after its context was canceled")
		return errLeftBehind
	}
}

// unlist removes this node from the lists of nodes, so that the other nodes take its shards.
func (s *Server) unlist() {
	if len(s.queues) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.timeout())
	defer cancel()
	pipe := s.rdb.Pipeline()
	for _, lq := range s.queues {
		pipe.ZRem(ctx, s.keys.nodes(lq.Queue), s.opt.Node)
	}
	pipe.SRem(ctx, s.keys.drains(), s.opt.Node)
	pipe.Del(ctx, s.keys.node(s.opt.Node))
	if _, err := pipe.Exec(ctx); err != nil {
		s.opt.Log.Warn("cannot leave the list of nodes", "err", err) // the entry expires
	}
	for _, lq := range s.queues {
		s.announce(ctx, lq.Queue)
	}
}
