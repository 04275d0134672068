package settings

import (
	"cmp"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/queue"
)

// OpenRedis returns a client of the configured Redis, or of a Redis that it starts in this process. The
// returned function closes the client, and stops a Redis that OpenRedis started. The argument `restarts`
// observes the connections to a configured Redis. OpenRedis sends no command, so Redis may be down.
func (c Config) OpenRedis(restarts *queue.RestartDetector) (redis.UniversalClient, func() error, error) {
	if c.RedisURL == "" {
		return EmbeddedRedis()
	}
	opt, err := redisurl.Parse(c.RedisURL)
	if err != nil {
		return nil, nil, err
	}
	opt.PoolSize = cmp.Or(opt.PoolSize, max(20, c.Concurrency/2))
	opt.OnConnect = restarts.OnConnect
	rdb := redis.NewUniversalClient(opt)
	return rdb, rdb.Close, nil
}
