package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// nodesMessage on a wake channel means that leases or nodes have changed; any other message is the
// name of a shard.
const nodesMessage = "nodes"

// hear receives wake-ups until ctx ends. After every (re)connection it checks all shards, since
// wake-ups may have been missed.
func (s *Server) hear(ctx context.Context) {
	if len(s.lines) == 0 {
		return
	}
	lines := make(map[string]*line, len(s.lines))
	channels := make([]string, len(s.lines))
	for i, ln := range s.lines {
		channels[i] = s.keys.wake(ln.Queue)
		lines[channels[i]] = ln
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
			s.heard(lines[channelOf(msg)], msg)
		}
	}
}

func (s *Server) heard(ln *line, msg any) {
	m, ok := msg.(*redis.Message)
	switch {
	case ln == nil:
	case !ok:
		s.hearing.Store(true)
		s.poke(ln)
		kick(s.keepKick)
	case m.Payload == nodesMessage:
		kick(s.keepKick)
	default:
		s.pokeOne(ln, m.Payload)
	}
}

// poke makes this node poll its shards of the queue at once.
func (s *Server) poke(ln *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range ln.shards {
		sh.poke()
	}
}

func (s *Server) pokeOne(ln *line, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh := ln.byName[name]; sh != nil {
		sh.poke()
	}
}

// poke makes the node poll the shard at once, if it owns it. Needs Server.mu.
func (sh *shard) poke() {
	if sh.tenure != nil {
		sh.tenure.nextDue = 0
		kick(sh.turner.kick)
	}
}
