package queue

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// free returns the given shards that no other node holds. It also returns the time until the first
// lease of another node may expire, at most ServerOptions.Lease.
func (s *Server) free(ctx context.Context, shards []*shard) ([]*shard, time.Duration, error) {
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	pipe := s.rdb.Pipeline()
	holders := make([]*redis.StringCmd, len(shards))
	lefts := make([]*redis.DurationCmd, len(shards))
	for i, sh := range shards {
		holders[i] = pipe.Get(bounded, sh.keys.lease)
		lefts[i] = pipe.PTTL(bounded, sh.keys.lease)
	}
	if _, err := pipe.Exec(bounded); err != nil && !errors.Is(err, redis.Nil) {
		return nil, 0, err
	}
	var out []*shard
	soonest := s.opt.Lease
	for i, sh := range shards {
		if holders[i].Val() == "" || s.mine(holders[i].Val()) {
			out = append(out, sh)
		} else {
			soonest = min(soonest, max(lefts[i].Val(), 0))
		}
	}
	return out, soonest, nil
}

// mine reports whether a lease value names this node. The node can hold the lease of a shard that
// it does not own yet: the reply of acquire.lua may have been lost.
func (s *Server) mine(lease string) bool {
	return len(lease) > len(s.opt.Node) && lease[:len(s.opt.Node)+1] == s.opt.Node+":"
}

// acquire tries to lease the given shards. With ServerOptions.Epoch, all shards get the same
// token.
func (s *Server) acquire(ctx context.Context, shards []*shard) error {
	token, err := s.token(ctx)
	if err != nil || len(shards) == 0 {
		return err
	}
	calls := make([]*call, len(shards))
	owned := make(map[*call]*shard, len(shards))
	for i, sh := range shards {
		calls[i] = &call{
			script: acquireScript,
			keys:   []string{sh.keys.lease, sh.keys.fence, sh.keys.busy},
			args:   []any{s.opt.Node, token, time.Now().UnixMilli(), s.opt.Lease.Milliseconds()},
		}
		owned[calls[i]] = sh
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	s.engine.runParts(bounded, s.opt.timeout(), calls, func(part []*call, sent time.Time) {
		for _, c := range part {
			if c.err == nil {
				s.begin(owned[c], c.reply, s.leaseEnd(sent))
			}
		}
	})
	return firstError("acquire", calls)
}

// token returns the token under which acquire leases shards. If ServerOptions.Epoch is nil, it returns
// "", and acquire.lua chooses a token for each shard.
func (s *Server) token(ctx context.Context) (string, error) {
	if s.opt.Epoch == nil {
		return "", nil
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	defer cancel()
	epoch, err := s.opt.Epoch(bounded)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(epoch, 10), nil
}

// begin makes this node the owner of a shard if the reply of acquire.lua contains a token. If earlier
// owners left keys in flight, the node fetches no keys until openAll has put these keys back.
func (s *Server) begin(sh *shard, reply []any, until time.Time) {
	if len(reply) < 2 {
		return
	}
	text, _ := reply[0].(string)
	busy, _ := reply[1].(int64)
	token, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if busy < 0 {
			s.opt.Log.Error("the new lease token is not above the last token of the shard", "queue", sh.localQueue.Queue,
				"shard", sh.id.name())
		}
		return
	}
	s.opt.Acquired()
	s.mu.Lock()
	defer s.mu.Unlock()
	own := sh.newOwnedShard(s.life.handlers, token, s.opt.Node+":"+text)
	own.until, own.open = until, busy == 0
	sh.owned = own
	s.counts.Taken++
	s.opt.Log.Debug("shard acquired", "queue", sh.localQueue.Queue, "shard", sh.id.name(), "token", token)
	kick(sh.poller.kick)
}
