package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Stop ends the work of the node: nothing more is fetched or started, what has
// not started goes back as it was, running handlers get StopTimeout and are then
// cancelled with cause ErrInterrupted. The leases are released at once. A
// handler that ignores its context for another lease time is left behind, and
// its shard passes on when the lease runs out. Stop may come more than once, and
// without Start; every call waits for the end.
func (s *Server) Stop() { s.life.once.Do(s.stop) }

func (s *Server) stop() {
	s.mu.Lock()
	s.stopping = true
	started := s.life.started
	for sh := range s.shards {
		if sh.tenure != nil {
			s.withdraw(sh.tenure)
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
	if s.opt.LastWords != nil {
		s.opt.LastWords(errors.Join(left, s.unsettled()))
	}
}

// ErrUnsettled is what LastWords gets, with their number, when payloads are left in
// flight because Redis has not taken their end. The next owner runs them again.
var ErrUnsettled = errors.New("payloads are left in flight")

// unsettled returns ErrUnsettled if payloads are left.
func (s *Server) unsettled() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.inflight + s.left; n > 0 {
		return fmt.Errorf("%w: %d", ErrUnsettled, n)
	}
	return nil
}

// Abandon ends the work of the node as its death would, for tests of what others
// make of it: nothing is settled, told or released, and the leases run out by
// themselves. Running handlers are cancelled with cause ErrLeaseLost, and waited
// for as in Stop, which does nothing any more.
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
	s.life.endKeep() // or it would lease again what is lost
	s.life.keeper.Wait()
	s.mu.Lock()
	for sh := range s.shards {
		if sh.tenure != nil {
			s.lose(sh.tenure)
		}
	}
	s.mu.Unlock()
	s.life.endLoops()
	s.life.loops.Wait()
	left := s.closeRunners()
	s.life.interrupt(ErrLeaseLost)
	if s.opt.LastWords != nil {
		s.opt.LastWords(left)
	}
}

// drain releases each shard when Redis has all its settlements, until none is
// left or d is over. It tells whether none is left.
func (s *Server) drain(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		s.releaseSettled()
		if len(s.tenures()) == 0 {
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
	if err := s.release(ctx, (*tenure).idle); err != nil {
		s.opt.Log.Warn("cannot release the leases", "err", err) // they run out
	}
}

// errLeftBehind is the last word of a server whose handlers do not end.
var errLeftBehind = errors.New("a handler ignores its cancelled context and is left behind")

// closeRunners ends the runners and waits for them, but not for a handler that
// has outstayed every limit.
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
		s.opt.Log.Error("a handler ignores its cancelled context and is left behind")
		return errLeftBehind
	}
}

// unlist takes this node off the lists, so that others count without it.
func (s *Server) unlist() {
	if len(s.lines) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.timeout())
	defer cancel()
	pipe := s.rdb.Pipeline()
	for _, ln := range s.lines {
		pipe.ZRem(ctx, s.keys.nodes(ln.Queue), s.opt.Node)
	}
	pipe.SRem(ctx, s.keys.drains(), s.opt.Node)
	pipe.Del(ctx, s.keys.node(s.opt.Node))
	if _, err := pipe.Exec(ctx); err != nil {
		s.opt.Log.Warn("cannot leave the list of nodes", "err", err) // the entry runs out
	}
	for _, ln := range s.lines {
		s.announce(ctx, ln.Queue)
	}
}
