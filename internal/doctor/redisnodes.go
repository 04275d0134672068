package doctor

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// redisNode holds the INFO of a Redis process.
type redisNode struct {
	addr string
	info map[string]string // by INFO's own names
}

// Number returns a number from INFO; 0 if it is missing or not a number.
func (n redisNode) Number(name string) float64 {
	v, err := strconv.ParseFloat(n.info[name], 64)
	if err != nil {
		return 0
	}
	return v
}

// RedisNodes reads the INFO of the Redis process that the client uses; in a cluster, of each
// primary. If a process permanently refuses INFO, for example because the user lacks the right, the
// result has no values for it.
func RedisNodes(ctx context.Context, rdb redis.UniversalClient, sections ...string) ([]redisNode, error) {
	var mu sync.Mutex
	var out []redisNode
	ask := func(ctx context.Context, c *redis.Client) error {
		n, err := redisNodeOf(ctx, c, sections)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		out = append(out, n)
		return nil
	}
	var err error
	switch c := rdb.(type) {
	case *redis.ClusterClient:
		err = c.ForEachMaster(ctx, ask)
	case *redis.Client:
		err = ask(ctx, c)
	}
	return out, err
}

func redisNodeOf(ctx context.Context, c *redis.Client, sections []string) (redisNode, error) {
	n := redisNode{addr: c.Options().Addr, info: map[string]string{}}
	for _, section := range sections {
		text, err := c.Info(ctx, section).Result()
		if err != nil && refusesInfo(err) {
			continue
		}
		if err != nil {
			return n, err
		}
		for line := range strings.Lines(text) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
				n.info[name] = value
			}
		}
	}
	return n, nil
}

// refusesInfo reports whether `err` means that Redis permanently refuses INFO. It returns false for a
// temporary failure.
func refusesInfo(err error) bool {
	text := err.Error()
	return strings.Contains(text, "not supported") || strings.Contains(text, "unknown") ||
		strings.HasPrefix(text, "NOPERM")
}
