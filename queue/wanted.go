package queue

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// WantedTopic returns a topic for Client.Subscribe. Subscribers get the topic when a further key of the
// queue becomes wanted, which means that it has room for more payloads.
func WantedTopic(queue string) string { return "wanted:" + queue }

// wantedShards is the maximum number of shards that one round trip reads.
const wantedShards = 64

// Wanted returns up to n wanted keys of a queue: Push has refused jobs of the key with ErrKeyFull, and
// the key has room again. A key has room when its waiting payloads are at most half of its limit. Each
// call begins at another shard. Of the shards that it reads, the keys wanted longest come first. Wanted
// returns a key again until the caller reports it with ReportRefills. It takes one round trip per 64
// shards, until it has n keys.
func (c *Client) Wanted(ctx context.Context, queue string, n int) ([]string, error) {
	if n < 1 {
		return nil, nil
	}
	v, err := c.view(ctx, queue)
	if err != nil {
		return nil, err
	}
	var all []redis.Z
	shards := slices.Concat(v.stages...)
	from := int(c.wantedCalls.Add(1)) % len(shards) // each call begins at the next shard
	shards = slices.Concat(shards[from:], shards[:from])
	for part := range slices.Chunk(shards, wantedShards) {
		found, err := c.wanted(ctx, part, n)
		if err != nil {
			return nil, fmt.Errorf("queue: wanted keys of %q: %w", queue, err)
		}
		if all = append(all, found...); len(all) >= n {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b redis.Z) int { return cmp.Compare(a.Score, b.Score) })
	return distinct(all[:min(n, len(all))]), nil
}

// wanted reads up to n wanted keys of each of the shards, in one round trip.
func (c *Client) wanted(ctx context.Context, shards []*shardKeys, n int) (all []redis.Z, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe := c.rdb.Pipeline()
	lists := make([]*redis.ZSliceCmd, len(shards))
	for i, k := range shards {
		lists[i] = pipe.ZRangeWithScores(ctx, k.wanted, 0, int64(n)-1)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	for _, list := range lists {
		all = append(all, list.Val()...)
	}
	return all, nil
}

func distinct(all []redis.Z) []string {
	list, seen := make([]string, 0, len(all)), make(map[string]bool, len(all))
	for _, z := range all {
		if key, _ := z.Member.(string); !seen[key] {
			seen[key] = true
			list = append(list, key)
		}
	}
	return list
}

// Refill holds a key, and whether the caller has more jobs of this key.
type Refill struct {
	Key string

	// Limit is the Job.Limit of the caller's next jobs of the key. 0 means that the caller has no
	// more jobs.
	Limit int
}

// ReportRefills records that the caller has pushed the next jobs of keys, or has no more jobs of them. A
// key with more jobs is wanted again as soon as its waiting payloads are at most half of its limit. If
// so few payloads already wait, the key stays wanted, after all other keys. A key without more jobs is
// no longer wanted, except if Push has refused a job of the key since it became wanted. The list may
// contain keys that are not wanted, or a key twice. A key that the caller does not report stays wanted.
func (c *Client) ReportRefills(ctx context.Context, queue string, list ...Refill) error {
	for range pushRounds {
		v, err := c.view(ctx, queue)
		if err != nil {
			return err
		}
		for _, shards := range v.stages {
			if list, err = c.refill(ctx, shards, list); err != nil {
				return fmt.Errorf("queue: refill of %q: %w", queue, err)
			}
		}
		if len(list) == 0 {
			return nil
		}
		c.forget(queue)
	}
	return fmt.Errorf("queue: refill of %q: %w", queue, ErrMoving)
}

// refill records in the shards of one layout whether the caller has more jobs of each key. It
// returns the keys that belong to another layout.
func (c *Client) refill(ctx context.Context, shards []*shardKeys, list []Refill) (left []Refill, err error) {
	byShard := make(map[*shardKeys][]Refill)
	for _, r := range list {
		k := shards[shardOf(r.Key, len(shards))]
		byShard[k] = append(byShard[k], r)
	}
	var calls []*call
	var parts [][]Refill
	for k, mine := range byShard {
		for part := range slices.Chunk(mine, bulkKeys) {
			calls, parts = append(calls, c.refillCall(k, part)), append(parts, part)
		}
	}
	for i := 0; i < len(calls); i += pushCalls {
		end := min(i+pushCalls, len(calls))
		if err := c.runRefills(ctx, calls[i:end]); err != nil {
			return nil, err
		}
	}
	for i, call := range calls {
		left = append(left, elsewhere(call, parts[i])...)
	}
	return left, nil
}

func (c *Client) refillCall(k *shardKeys, part []Refill) *call {
	args := []any{k.id.gateAtFirst(), millis(c.opt.Now()), k.channel}
	for _, r := range part {
		args = append(args, r.Key, max(r.Limit, 0))
	}
	return &call{
		script: refillScript, args: args,
		keys: []string{k.gate, k.jobs, k.busy, k.payloads, k.limits, k.wanted},
	}
}

func (c *Client) runRefills(ctx context.Context, calls []*call) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	c.engine.run(ctx, calls)
	for _, call := range calls {
		if call.err != nil {
			return call.err
		}
	}
	return nil
}

// elsewhere returns the keys that belong to another layout, according to the reply of refill.lua.
func elsewhere(call *call, part []Refill) (left []Refill) {
	if call.status() < 0 {
		return part
	}
	for _, val := range call.reply[1:] {
		key, _ := val.(string)
		i := slices.IndexFunc(part, func(r Refill) bool { return r.Key == key })
		if i >= 0 {
			left = append(left, part[i])
		}
	}
	return left
}
