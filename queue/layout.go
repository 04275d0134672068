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

// MaxShards bounds the shards of a queue.
const MaxShards = 4096

// layout is how a queue is cut into shards, as Redis tells it.
type layout struct {
	cut, shards       int // where keys that do not wait yet go
	oldCut, oldShards int // the cut before, while it has keys; 0 shards = none
	paused            bool
	processed, failed int64 // counted by cuts that are gone
}

// ids lists the shards of all cuts that have keys, the older cut first.
func (l layout) ids(queue string) []shardID {
	list := make([]shardID, 0, l.shards+l.oldShards)
	for i := range l.oldShards {
		list = append(list, shardID{queue, l.oldCut, i})
	}
	for i := range l.shards {
		list = append(list, shardID{queue, l.cut, i})
	}
	return list
}

// readLayout makes sense of the hash; no shards mean that there is none.
func readLayout(m map[string]string) (l layout) {
	number := func(field string, most int64) int64 {
		n, err := strconv.ParseInt(m[field], 10, 64)
		if err != nil {
			return 0
		}
		return min(max(n, 0), most)
	}
	l.cut, l.shards = int(number("cut", maxCuts)), int(number("shards", MaxShards))
	l.oldCut, l.oldShards = int(number("old_cut", maxCuts)), int(number("old_shards", MaxShards))
	l.paused = m["paused"] != ""
	l.processed, l.failed = number("processed", math.MaxInt64), number("failed", math.MaxInt64)
	return l
}

// begin tells Redis of a queue that it does not know, and reads its layout.
func (k keyspace) begin(
	ctx context.Context, rdb redis.UniversalClient, queue string, shards int,
) (layout, error) {
	err := runExempt(ctx, rdb, "tell redis of "+queue,
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

// errNoLayout means that Redis does not keep the layout of a queue. Try again.
var errNoLayout = errors.New("redis does not keep the layout")

// view is a layout as a client remembers it, with the keys of its shards.
type view struct {
	layout
	at     time.Time
	stages [][]*shardKeys // of the older cut if there is one, then of the newer
}

// viewLife is how long a client relies on a layout. A stale one costs a push a
// refusal and a second look, and nothing else.
const viewLife = 10 * time.Second

func (k keyspace) view(queue string, l layout) *view {
	v := &view{layout: l, at: time.Now()}
	var old, latest []*shardKeys
	for _, id := range l.ids(queue) {
		if id.Cut == l.cut {
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

// view returns the layout of a queue the client was told of, remembered or read.
func (c *Client) view(ctx context.Context, queue string) (*view, error) {
	c.mu.Lock()
	v := c.views[queue]
	c.mu.Unlock()
	if v != nil && time.Since(v.at) < viewLife {
		return v, nil
	}
	latest, err := c.look(ctx, queue)
	if err != nil && v != nil {
		return v, nil // the shards may be reachable all the same
	}
	return latest, err
}

// look reads the layout of a queue.
func (c *Client) look(ctx context.Context, queue string) (*view, error) {
	shards, told := c.queues[queue]
	if !told {
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

// forget makes the client read the layout of a queue again.
func (c *Client) forget(queue string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.views, queue)
}

// ErrShardCount means a shard count below 1 or above MaxShards. Nothing was done.
var ErrShardCount = errors.New("shard count out of range")
