package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Server is one node: it leases shards of queues, fetches due keys, runs handlers and settles the
// results. After an outage of Redis it continues without a restart.
type Server struct {
	rdb    redis.UniversalClient
	opt    ServerOptions
	keys   keyspace
	queues []*localQueue

	engine *engine

	mu        sync.Mutex
	work      *sync.Cond    // on mu: withReady, calls or closed changed
	withReady []*ownedShard // owned shards with ready keys, the next to serve first
	calls     []func()      // Exhausted callbacks
	inflight  int           // payloads fetched and not yet settled
	waiting   int           // keys ready
	left      int           // payloads in flight whose lease was lost during the stop
	reserved  int           // keys requested and not yet fetched
	outOfRoom bool          // a poller found no room to fetch
	least     int           // look-ahead in keys that fills every goroutine
	speed     meter
	suspects  suspects
	outage    outage
	counts    Counts // counted so far

	candidates []Candidate // reused by nextOwned
	stopping   bool        // no key is fetched or started any more
	closed     bool        // runners end

	beats  []string  // reports that Redis may have; only the keeper uses it
	beatAt time.Time // of the last report that Redis has

	pollers    [pollers]*poller
	keepKick   chan struct{}
	settled    chan struct{} // wakes drain after a settlement
	running    atomic.Int64  // batches whose handler runs
	subscribed atomic.Bool   // the subscription works

	life lifecycle
}

// lifecycle holds what Start creates and Stop ends.
type lifecycle struct {
	once      sync.Once
	started   bool // guarded by Server.mu
	handlers  context.Context
	interrupt context.CancelCauseFunc
	endKeep   context.CancelFunc
	endLoops  context.CancelFunc
	keeper    sync.WaitGroup
	loops     sync.WaitGroup
	runners   sync.WaitGroup
	unhook    func() bool
}

// ErrNoTimeouts means that the Redis client ignores the deadlines of contexts. Leases depend on
// these deadlines.
var ErrNoTimeouts = errors.New("queue: the Redis client ignores deadlines: set ContextTimeoutEnabled in its options")

// timesOut reports whether a Redis client obeys the deadlines of contexts. It reports
// true for client types that it cannot check.
func timesOut(rdb redis.UniversalClient) bool {
	switch rdb := rdb.(type) {
	case *redis.Client:
		return rdb.Options().ContextTimeoutEnabled
	case *redis.ClusterClient:
		return rdb.Options().ContextTimeoutEnabled
	case *redis.Ring:
		return rdb.Options().ContextTimeoutEnabled
	}
	return true
}

// errStarted is the error of a second Start, or of a Start after Stop.
var errStarted = errors.New("queue: server was started or stopped before")

// NewServer returns a server that runs the workers. It does no I/O. The caller keeps and closes
// rdb, whose options must set ContextTimeoutEnabled. NewServer panics on a worker without queue or
// handler, on a duplicate queue, and on braces in a name or prefix. It also panics on a shard count
// out of range, and on an option or BatchSize below 0.
func NewServer(rdb redis.UniversalClient, opt ServerOptions, workers ...Worker) *Server {
	opt.check()
	opt = opt.withDefaults()
	s := &Server{
		rdb: rdb, opt: opt, keys: newKeyspace(opt.Prefix), least: opt.Concurrency,
		keepKick: make(chan struct{}, 1), settled: make(chan struct{}, 1),
	}
	s.engine = newEngine(rdb, s.keys, opt.Log, opt.Now)
	s.work = sync.NewCond(&s.mu)
	for i := range s.pollers {
		s.pollers[i] = &poller{kick: make(chan struct{}, 1)}
	}
	for _, w := range workers {
		s.add(w.withDefaults())
	}
	return s
}

func (s *Server) add(w Worker) {
	checkQueue(w.Queue)
	if w.Handle == nil {
		panic(fmt.Sprintf("queue: worker of %q has no handler", w.Queue))
	}
	if w.BatchSize < 0 {
		panic(fmt.Sprintf("queue: worker of %q has a BatchSize below 0", w.Queue))
	}
	for _, lq := range s.queues {
		if lq.Queue == w.Queue {
			panic(fmt.Sprintf("queue: %q has two workers", w.Queue))
		}
	}
	if err := checkShards(w.Shards); err != nil {
		panic(fmt.Sprintf("queue: worker of %q: %v", w.Queue, err))
	}
	lq := &localQueue{Worker: w, handle: Recover(w.Handle), byName: make(map[string]*shard)}
	s.relayout(lq, layout{shards: w.Shards})
	s.least = max(s.least, min(s.opt.Concurrency*w.BatchSize, s.opt.InFlight))
	s.queues = append(s.queues, lq)
}

// Start begins work and returns at once. If Redis is down, the server waits for it. Canceling ctx
// has the effect of Stop. Start returns an error if an earlier Start succeeded, if Stop was called,
// or if OnStart fails. It returns ErrNoTimeouts if rdb ignores deadlines.
func (s *Server) Start(ctx context.Context) error {
	if !timesOut(s.rdb) {
		return ErrNoTimeouts
	}
	if s.begun() {
		return errStarted
	}
	if s.opt.OnStart != nil {
		if err := s.opt.OnStart(ctx); err != nil {
			return fmt.Errorf("queue: start: %w", err)
		}
	}
	s.mu.Lock() // Stop may run at once, and must wait until all fields are set
	defer s.mu.Unlock()
	l := &s.life
	if l.started || s.stopping {
		return errStarted
	}
	l.started = true
	base := context.WithoutCancel(ctx)
	l.handlers, l.interrupt = context.WithCancelCause(base)
	loops, endLoops := context.WithCancel(base)
	keep, endKeep := context.WithCancel(loops)
	l.endLoops, l.endKeep = endLoops, endKeep

	for range s.opt.Concurrency {
		l.runners.Go(s.runner)
	}
	for _, t := range s.pollers {
		l.loops.Go(func() { s.poll(loops, t) })
	}
	l.loops.Go(func() { s.renew(loops) })
	l.loops.Go(func() { s.watch(loops) })
	l.keeper.Go(func() { s.keep(keep) })
	l.keeper.Go(func() { s.subscribe(keep) })
	l.unhook = context.AfterFunc(ctx, s.Stop)
	return nil
}

// begun reports whether a Start has succeeded, or Stop or Abandon was called.
func (s *Server) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.life.started || s.stopping
}

// kick wakes the receiver of c without blocking.
func kick(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// shards iterates over all shards of all queues.
func (s *Server) shards(yield func(*shard) bool) {
	for _, lq := range s.queues {
		for _, sh := range lq.shards {
			if !yield(sh) {
				return
			}
		}
	}
}
