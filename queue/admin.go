package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// Admin is a client that can read and change every queue in Redis, including queues without a
// worker. It is safe for concurrent use.
type Admin struct {
	rdb    redis.UniversalClient
	keys   keyspace
	client *Client
}

// Admin returns an Admin with the Redis connection and the prefix of the client.
func (c *Client) Admin() *Admin { return &Admin{rdb: c.rdb, keys: c.keys, client: c} }

// Queues lists the queues that a client or a server has added to Redis, sorted by name. It omits
// forgotten queues.
func (a *Admin) Queues(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := a.rdb.SMembers(ctx, a.keys.queues()).Result()
	if err != nil {
		return nil, fmt.Errorf("queue: list queues: %w", err)
	}
	slices.Sort(list)
	return list, nil
}

// QueueStats holds the figures of a queue and of its shards.
type QueueStats struct {
	Name   string
	Paused bool

	// Resharding reports whether keys are still moving from the shards of the previous layout.
	Resharding bool

	Stats

	// Shards lists the shards of the previous layout before those of the current one.
	Shards []ShardStats
}

// Stats returns the figures of a queue and of each of its shards. It takes one round trip for the
// layout, and one for each part of up to 64 shards.
func (a *Admin) Stats(ctx context.Context, queue string) (QueueStats, error) {
	l, err := a.layout(ctx, queue)
	if err != nil {
		return QueueStats{}, err
	}
	shards, err := a.keys.stats(ctx, a.rdb, queue, l, a.client.opt.Now())
	if err != nil {
		return QueueStats{}, err
	}
	return QueueStats{
		Name: queue, Paused: l.paused, Resharding: l.oldShards > 0, Stats: l.sum(shards), Shards: shards,
	}, nil
}

// Pause stops the nodes from starting jobs of a queue until Resume. Running jobs finish, and pushes
// are still accepted. All nodes apply the pause at once, or within a third of a lease if the
// message to them is lost. Nodes that start later apply it, too.
func (a *Admin) Pause(ctx context.Context, queue string) error {
	return a.setPaused(ctx, queue, func(ctx context.Context, key string) error {
		return runExempt(ctx, a.rdb, "pause", exempt(onHash, "HSET", key, "paused", "1"))
	})
}

// Resume ends the pause of a queue, if there is one.
func (a *Admin) Resume(ctx context.Context, queue string) error {
	return a.setPaused(ctx, queue, func(ctx context.Context, key string) error {
		return a.rdb.HDel(ctx, key, "paused").Err()
	})
}

// Paused reports whether a queue is paused. It reads one hash of Redis.
func (a *Admin) Paused(ctx context.Context, queue string) (bool, error) {
	l, err := a.layout(ctx, queue)
	return l.paused, err
}

// PausedQueues returns the names of the paused queues, sorted. It takes at most two round trips.
func (a *Admin) PausedQueues(ctx context.Context) (paused []string, err error) {
	queues, err := a.Queues(ctx)
	if err != nil || len(queues) == 0 {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe, marks := a.rdb.Pipeline(), make([]*redis.BoolCmd, len(queues))
	for i, queue := range queues {
		marks[i] = pipe.HExists(ctx, a.keys.layout(queue), "paused")
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("queue: list paused queues: %w", err)
	}
	for i, queue := range queues {
		if marks[i].Val() {
			paused = append(paused, queue)
		}
	}
	return paused, nil
}

func (a *Admin) setPaused(
	ctx context.Context, queue string, set func(ctx context.Context, key string) error,
) error {
	if _, err := a.begun(ctx, queue); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := set(ctx, a.keys.layout(queue)); err != nil {
		return fmt.Errorf("queue: pause or resume %q: %w", queue, err)
	}
	return a.announce(ctx, queue)
}

// begun returns the layout of a queue. If the queue is in ClientOptions.Queues but not in Redis, begun
// first adds it to Redis.
func (a *Admin) begun(ctx context.Context, queue string) (layout, error) {
	if shards := a.client.queues[queue]; shards > 0 {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		if _, err := a.keys.begin(ctx, a.rdb, queue, shards); err != nil {
			return layout{}, fmt.Errorf("queue: layout of %q: %w", queue, err)
		}
	}
	return a.layout(ctx, queue)
}

// layout reads the layout of a queue. For a queue that is not in Redis, it takes the shard count from
// ClientOptions.Queues. For a queue in neither, it returns ErrUnknownQueue.
func (a *Admin) layout(ctx context.Context, queue string) (layout, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	m, err := a.rdb.HGetAll(ctx, a.keys.layout(queue)).Result()
	if err != nil {
		return layout{}, fmt.Errorf("queue: layout of %q: %w", queue, err)
	}
	l := readLayout(m)
	if l.shards == 0 {
		l.shards = a.client.queues[queue]
	}
	if l.shards > 0 {
		return l, nil
	}
	return layout{}, fmt.Errorf("queue: %q: %w", queue, ErrUnknownQueue)
}

// announce notifies the nodes of a queue, so that they read its layout again.
func (a *Admin) announce(ctx context.Context, queue string) error {
	if err := a.rdb.Publish(ctx, a.keys.wake(queue), nodesMessage).Err(); err != nil {
		return errors.Join(fmt.Errorf("queue: notify the nodes of %q", queue), err)
	}
	return nil
}
