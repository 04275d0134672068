package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// nodesMessage on a wake channel means that leases, nodes or the layout have changed. Any other
// message is the name of a shard with due keys.
const nodesMessage = "nodes"

// subscribe receives wake-ups until ctx ends. After every connection or reconnection it polls all
// shards, since the node may have missed wake-ups.
func (s *Server) subscribe(ctx context.Context) {
	if len(s.queues) == 0 {
		return
	}
	queues := make(map[string]*localQueue, len(s.queues))
	channels := make([]string, len(s.queues))
	for i, lq := range s.queues {
		channels[i] = s.keys.wake(lq.Queue)
		queues[channels[i]] = lq
	}
	sub := s.rdb.Subscribe(ctx, channels...)
	defer func() { _ = sub.Close() }() // a lost connection needs no cleanup
	in := sub.ChannelWithSubscriptions()
	for {
		select {
		case <-ctx.Done():
			return
		case msg, ok := <-in:
			if !ok {
				return
			}
			s.onMessage(queues[channelOf(msg)], msg)
		}
	}
}

func (s *Server) onMessage(lq *localQueue, msg any) {
	m, ok := msg.(*redis.Message)
	switch {
	case lq == nil:
	case !ok:
		s.subscribed.Store(true)
		s.poke(lq)
		kick(s.keepKick)
	case m.Payload == nodesMessage:
		kick(s.keepKick)
	default:
		s.pokeOne(lq, m.Payload)
	}
}

// poke makes this node poll its shards of the queue at once.
func (s *Server) poke(lq *localQueue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range lq.shards {
		sh.poke()
	}
}

func (s *Server) pokeOne(lq *localQueue, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh := lq.byName[name]; sh != nil {
		sh.poke()
	}
}

// poke makes the node poll the shard at once, if the node owns the shard. The caller holds
// Server.mu.
func (sh *shard) poke() {
	if sh.owned != nil {
		sh.owned.nextDue = 0
		kick(sh.poller.kick)
	}
}
