package settings

import (
	"cmp"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/queue"
)

// OpenRedis connects to the configured Redis, or starts one in this process. It sends no command,
// so Redis may still be down.
func (c Config) OpenRedis(pulse *queue.RestartDetector) (redis.UniversalClient, func() error, error) {
	if c.RedisURL == "" {
		return EmbeddedRedis()
	}
	opt, err := redisurl.Parse(c.RedisURL)
	if err != nil {
		return nil, nil, err
	}
	opt.PoolSize = cmp.Or(opt.PoolSize, max(20, c.Concurrency/2))
	opt.OnConnect = pulse.OnConnect
	rdb := redis.NewUniversalClient(opt)
	return rdb, rdb.Close, nil
}
