package queue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// MaxShards is the greatest number of shards of a queue.
const MaxShards = 4096

// layout is the division of a queue into shards, as stored in Redis.
type layout struct {
	generation, shards       int // the current layout, which gets new keys
	oldGeneration, oldShards int // the previous layout, while it has keys; 0 shards = none
	paused                   bool
	processed, failed        int64 // counted by earlier layouts
}

// ids lists the shards of the older layout, if there is one, and then of the current layout.
func (l layout) ids(queue string) []shardID {
	list := make([]shardID, 0, l.shards+l.oldShards)
	for i := range l.oldShards {
		list = append(list, shardID{queue, l.oldGeneration, i})
	}
	for i := range l.shards {
		list = append(list, shardID{queue, l.generation, i})
	}
	return list
}

// readLayout parses the hash of a layout. A layout with 0 shards means that Redis does not have the
// queue.
func readLayout(m map[string]string) (l layout) {
	number := func(field string, most int64) int64 {
		n, err := strconv.ParseInt(m[field], 10, 64)
		if err != nil {
			return 0
		}
		return min(max(n, 0), most)
	}
	l.generation, l.shards = int(number("generation", maxGenerations)), int(number("shards", MaxShards))
	l.oldGeneration, l.oldShards = int(number("old_generation", maxGenerations)), int(number("old_shards", MaxShards))
	l.paused = m["paused"] != ""
	l.processed, l.failed = number("processed", math.MaxInt64), number("failed", math.MaxInt64)
	return l
}

// begin adds a queue to Redis if it is not there yet, and returns its layout.
func (k keyspace) begin(
	ctx context.Context, rdb redis.UniversalClient, queue string, shards int,
) (layout, error) {
	err := runExempt(ctx, rdb, "add to redis "+queue,
		exempt(onSet, "SADD", k.queues(), queue), exempt(onHash, "HSETNX", k.layout(queue), "shards", shards))
	if err != nil {
		return layout{}, err
	}
	m, err := rdb.HGetAll(ctx, k.layout(queue)).Result()
	l := readLayout(m)
	if err == nil && l.shards == 0 {
		err = errNoLayout
	}
	return l, err
}

// errNoLayout means that Redis lost the layout of a queue right after the write. A retry may
// succeed.
var errNoLayout = errors.New("redis lost the layout of the queue")

// view is the layout of a queue as a client caches it, with the Redis keys of its shards.
type view struct {
	layout
	at     time.Time
	stages [][]*shardKeys // of the previous layout if there is one, then of the current
}

// viewLife is how long a client uses a cached layout. If Redis refuses a push because the layout is
// stale, the client reads the layout again at once.
const viewLife = 10 * time.Second

func (k keyspace) view(queue string, l layout) *view {
	v := &view{layout: l, at: time.Now()}
	var old, latest []*shardKeys
	for _, id := range l.ids(queue) {
		if id.Generation == l.generation {
			latest = append(latest, k.shardOf(id))
		} else {
			old = append(old, k.shardOf(id))
		}
	}
	if len(old) > 0 {
		v.stages = append(v.stages, old)
	}
	v.stages = append(v.stages, latest)
	return v
}

// view returns the layout of a queue from the cache or from Redis. If the read fails, it returns an
// expired layout from the cache, if there is one.
func (c *Client) view(ctx context.Context, queue string) (*view, error) {
	c.mu.Lock()
	v := c.views[queue]
	c.mu.Unlock()
	if v != nil && time.Since(v.at) < viewLife {
		return v, nil
	}
	latest, err := c.loadView(ctx, queue)
	if err != nil && v != nil {
		return v, nil // the shards may still be reachable
	}
	return latest, err
}

// loadView reads the layout of a queue from Redis and caches it. It adds the queue to Redis if the
// queue is missing there.
func (c *Client) loadView(ctx context.Context, queue string) (*view, error) {
	shards, known := c.queues[queue]
	if !known {
		return nil, fmt.Errorf("queue: %q: %w", queue, ErrUnknownQueue)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	all, err := c.rdb.HGetAll(ctx, c.keys.layout(queue)).Result()
	l := readLayout(all)
	if err == nil && l.shards == 0 {
		l, err = c.keys.begin(ctx, c.rdb, queue, shards)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: layout of %q: %w", queue, err)
	}
	v := c.keys.view(queue, l)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.views[queue] = v
	return v, nil
}

// forget removes the layout of a queue from the cache.
func (c *Client) forget(queue string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.views, queue)
}

// ErrShardCount means a shard count below 1 or above MaxShards. Reshard also returns it for a queue
// that was resharded 1,023 times. Nothing was changed.
var ErrShardCount = errors.New("shard count out of range")
