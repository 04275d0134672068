package queue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// bulkKeys is the maximum number of keys that one script of a bulk action changes.
const bulkKeys = 100

// PerformAllNow makes all waiting keys of a queue due now, including retries, and returns how many had a
// later run-at. These keys keep their order among themselves, except keys in flight. They may come
// before keys that were already due. All keys keep their retry counts.
func (a *Admin) PerformAllNow(ctx context.Context, queue string) (int, error) {
	now := a.client.opt.Now().UnixMilli()
	return a.each(ctx, queue, "perform all now", func(k *shardKeys) (int, error) {
		later, err := a.rdb.ZCount(ctx, k.due, "("+strconv.FormatInt(now, 10), "+inf").Result()
		if err != nil {
			return 0, err
		}
		base, total := max(0, now-later), 0
		for {
			c := &call{script: performAllNowScript, keys: []string{k.due, k.wait}, args: []any{
				now, base + int64(total), bulkKeys, a.keys.wake(queue), k.id.name(),
			}}
			n, behind, err := a.pair(ctx, c)
			if total += n + behind; err != nil || n < bulkKeys {
				return total, err
			}
		}
	})
}

// KillAllFailed moves all keys that wait for a retry, with their waiting payloads, to the morgue. It
// returns the number of keys. A key whose first payload fails during the call may stay.
func (a *Admin) KillAllFailed(ctx context.Context, queue string) (int, error) {
	return a.dropFailed(ctx, queue, "kill")
}

// DeleteAllFailed deletes all keys that wait for a retry, with their waiting payloads. It returns the
// number of keys. A key whose first payload fails during the call may stay.
func (a *Admin) DeleteAllFailed(ctx context.Context, queue string) (int, error) {
	return a.dropFailed(ctx, queue, "delete")
}

func (a *Admin) dropFailed(ctx context.Context, queue, verb string) (int, error) {
	d := a.dropping()
	n, err := a.each(ctx, queue, verb+" all failed", func(k *shardKeys) (int, error) {
		most, err := a.rdb.ZCard(ctx, k.retries).Result()
		if err != nil {
			return 0, err
		}
		return a.chunks(ctx, int(most), func() *call { return d.call(k, verb, bulkKeys, nil) })
	})
	return d.end(ctx, n, err)
}

// Delete deletes all waiting payloads of the given keys, and returns the number of keys that had any.
// Payloads in flight finish as usual.
func (a *Admin) Delete(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.dropKeys(ctx, queue, "delete", 0, keys)
}

// Kill moves all waiting payloads of the given keys to the morgue, and returns the number of keys that
// had any.
func (a *Admin) Kill(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.dropKeys(ctx, queue, "kill", 0, keys)
}

// DeleteFailed deletes those of the given keys that wait for a retry, with all their waiting payloads. It
// returns their number. The same script checks and deletes a key, so a key whose retry succeeds meanwhile
// stays.
func (a *Admin) DeleteFailed(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.dropKeys(ctx, queue, "delete", onlyFailed, keys)
}

// KillFailed moves those of the given keys that wait for a retry to the morgue, with all their waiting
// payloads. It returns their number.
func (a *Admin) KillFailed(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.dropKeys(ctx, queue, "kill", onlyFailed, keys)
}

func (a *Admin) dropKeys(ctx context.Context, queue, verb string, most int, keys []string) (int, error) {
	d := a.dropping()
	n, err := a.byKey(ctx, queue, verb, keys, func(k *shardKeys, part []any) *call {
		return d.call(k, verb, most, part)
	})
	return d.end(ctx, n, err)
}

// onlyFailed is a value of the argument `most` of delete_waiting.lua. With it, the script skips given
// keys that do not wait for a retry.
const onlyFailed = -1

func (a *Admin) dropCall(k *shardKeys, verb string, most int, keys []any) *call {
	return &call{
		script: deleteWaitingScript, args: append([]any{verb, a.now(), most, k.channel}, keys...),
		keys: []string{
			k.due, k.jobs, k.wait, k.retries, k.redeliveries, k.crashes, k.errors, k.morgue, k.deadErrors,
			k.payloads, k.deadPayloads, k.limits, k.wanted,
		},
	}
}

// RequeueMorgue moves dead keys back to the queue, due now, and returns their number. It resets their
// retry counts and marks them as redelivered. During a reshard, a key that already waits keeps its
// run-at and its retry count. RequeueMorgue then pushes the payloads before it deletes them from the
// morgue: a crash between the two steps leaves them in both places.
func (a *Admin) RequeueMorgue(ctx context.Context, queue string, keys ...string) (int, error) {
	if moving, err := a.resharding(ctx, queue); moving || err != nil {
		return a.repush(ctx, queue, err, func(c *Client, k *shardKeys) (int, error) {
			return a.repushKeys(ctx, c, k, keys)
		})
	}
	return a.byKey(ctx, queue, "requeue", keys, func(k *shardKeys, part []any) *call {
		return a.requeueCall(queue, k, 0, part)
	})
}

// RequeueAllMorgue requeues all dead keys like RequeueMorgue. Keys that die during the call may
// stay in the morgue.
func (a *Admin) RequeueAllMorgue(ctx context.Context, queue string) (int, error) {
	if moving, err := a.resharding(ctx, queue); moving || err != nil {
		return a.repush(ctx, queue, err, func(c *Client, k *shardKeys) (int, error) {
			return a.repushAll(ctx, c, k)
		})
	}
	return a.eachDead(ctx, queue, "requeue all", func(k *shardKeys) *call {
		return a.requeueCall(queue, k, bulkKeys, nil)
	})
}

func (a *Admin) requeueCall(queue string, k *shardKeys, most int, keys []any) *call {
	args := []any{a.now(), most, a.keys.wake(queue), k.id.name()}
	return &call{script: requeueScript, args: append(args, keys...), keys: []string{
		k.due, k.jobs, k.busy, k.wait, k.retries, k.morgue, k.deadErrors, k.payloads, k.deadPayloads,
		k.redeliveries,
	}}
}

// DeleteMorgue deletes dead keys with all their payloads, and returns the number of keys.
func (a *Admin) DeleteMorgue(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.byKey(ctx, queue, "delete dead", keys, func(k *shardKeys, part []any) *call {
		return discardCall(k, 0, part)
	})
}

// DeleteAllMorgue deletes all dead keys like DeleteMorgue. Keys that die during the call may stay
// in the morgue.
func (a *Admin) DeleteAllMorgue(ctx context.Context, queue string) (int, error) {
	return a.eachDead(ctx, queue, "delete all dead", func(k *shardKeys) *call {
		return discardCall(k, bulkKeys, nil)
	})
}

func discardCall(k *shardKeys, most int, keys []any) *call {
	return &call{
		script: deleteDeadScript, args: append([]any{most}, keys...),
		keys: []string{k.morgue, k.deadErrors, k.deadPayloads},
	}
}

func (a *Admin) now() string { return millis(a.client.opt.Now()) }

// resharding reports whether keys are still moving between two layouts of a queue.
func (a *Admin) resharding(ctx context.Context, queue string) (bool, error) {
	l, err := a.layout(ctx, queue)
	return l.oldShards > 0, err
}

// eachDead runs scripts on the shards of a queue; the function `build` makes a script for a shard. For
// each shard, it stops when the scripts have changed as many keys as the morgue had at the start, or find
// no more keys.
func (a *Admin) eachDead(
	ctx context.Context, queue, verb string, build func(*shardKeys) *call,
) (int, error) {
	return a.each(ctx, queue, verb, func(k *shardKeys) (int, error) {
		most, err := a.rdb.ZCard(ctx, k.morgue).Result()
		if err != nil {
			return 0, err
		}
		return a.chunks(ctx, int(most), func() *call { return build(k) })
	})
}

// chunks runs scripts until they have changed `limit` keys, or find no more keys. The function
// `build` makes the scripts.
func (a *Admin) chunks(ctx context.Context, limit int, build func() *call) (int, error) {
	total := 0
	for total < limit {
		n, left, err := a.pair(ctx, build())
		if total += n; err != nil || n+left == 0 {
			return total, err
		}
	}
	return total, nil
}

// byKey runs the scripts that `build` makes for the keys, in every layout of the queue. It repeats a
// script that has not changed all of its keys.
func (a *Admin) byKey(
	ctx context.Context, queue, verb string, keys []string, build func(*shardKeys, []any) *call,
) (int, error) {
	byShard := make(map[int][]any)
	return a.each(ctx, queue, verb, func(k *shardKeys) (int, error) {
		clear(byShard)
		for _, key := range keys {
			i := shardOf(key, k.of)
			byShard[i] = append(byShard[i], key)
		}
		total := 0
		for list := byShard[k.id.Index]; len(list) > 0; {
			part := list[:min(bulkKeys, len(list))]
			n, left, err := a.pair(ctx, build(k, part))
			if total += n; err != nil {
				return total, err
			}
			if left == 0 {
				list = list[len(part):]
			}
		}
		return total, nil
	})
}

// each calls the function `do` for the shards of a queue one after another, up to the first error. It
// returns the sum of the results of `do`.
func (a *Admin) each(
	ctx context.Context, queue, verb string, do func(*shardKeys) (int, error),
) (int, error) {
	l, err := a.layout(ctx, queue)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, id := range l.ids(queue) {
		k := a.keys.shardOf(id)
		k.of = l.shards
		if id.Generation != l.generation {
			k.of = l.oldShards
		}
		n, err := do(k)
		if total += n; err != nil {
			return total, fmt.Errorf("queue: %s of %q: %w", verb, queue, err)
		}
	}
	return total, nil
}

// pair runs a script whose reply begins with two numbers, and returns these numbers.
func (a *Admin) pair(ctx context.Context, c *call) (int, int, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	a.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return 0, 0, c.err
	}
	if len(c.reply) < 2 {
		return 0, 0, errRecord
	}
	second, _ := c.reply[1].(int64)
	return int(c.status()), int(second), nil
}

// repush calls the function `requeue` for each shard up to the first error, and returns the sum of the results.
// If `err` is not nil, it only returns `err`. The function gets a new client, since the client of the Admin may
// not have the queue in its options.
func (a *Admin) repush(
	ctx context.Context, queue string, err error, requeue func(*Client, *shardKeys) (int, error),
) (int, error) {
	if err != nil {
		return 0, err
	}
	c := NewClient(a.rdb, ClientOptions{Prefix: a.keys.prefix, Queues: []Spec{{Name: queue}}})
	return a.each(ctx, queue, "requeue", func(k *shardKeys) (int, error) { return requeue(c, k) })
}

// repushAll requeues dead keys of the shard, about as many as the morgue had at the start.
func (a *Admin) repushAll(ctx context.Context, c *Client, k *shardKeys) (int, error) {
	most, err := a.rdb.ZCard(ctx, k.morgue).Result()
	for total := 0; ; {
		if err != nil || total >= int(most) {
			return total, err
		}
		page, err := a.rdb.ZRange(ctx, k.morgue, 0, bulkKeys-1).Result()
		if err != nil || len(page) == 0 {
			return total, err
		}
		n, err := a.repushKeys(ctx, c, k, page)
		if total += n; err != nil || n == 0 {
			return total, err
		}
	}
}

// repushKeys requeues the given keys that are dead in the shard, and returns their number.
func (a *Admin) repushKeys(
	ctx context.Context, c *Client, k *shardKeys, keys []string,
) (int, error) {
	total := 0
	for _, key := range keys {
		if shardOf(key, k.of) != k.id.Index {
			continue
		}
		err := a.rdb.ZScore(ctx, k.morgue, key).Err()
		if errors.Is(err, redis.Nil) {
			continue
		}
		if err == nil {
			err = a.repushKey(ctx, c, k, key)
		}
		if err != nil {
			return total, err
		}
		total++
	}
	return total, nil
}

// explicitScore returns the value of Job.Score that sets the given score. In Job.Score, 0 means no
// score, and negative zero means the score 0.
func explicitScore(score float64) float64 {
	if score == 0 {
		return math.Copysign(0, -1)
	}
	return score
}

func (a *Admin) repushKey(ctx context.Context, c *Client, k *shardKeys, key string) error {
	for {
		list, err := a.rdb.ZRangeWithScores(ctx, k.deadPayloads+key, 0, deadSlice-1).Result()
		if err != nil || len(list) == 0 {
			return err
		}
		args := []any{key}
		jobs := make([]Job, len(list))
		for i, z := range list {
			payload, _ := z.Member.(string)
			jobs[i] = Job{
				Queue: k.id.Queue, Key: key, Payload: []byte(payload), Score: explicitScore(z.Score), Redelivered: true,
			}
			args = append(args, payload)
		}
		if err := c.Push(ctx, jobs...); err != nil {
			return err
		}
		dig := &call{script: deadRemoveScript, args: args, keys: []string{k.morgue, k.deadErrors, k.deadPayloads}}
		a.client.engine.run(ctx, []*call{dig})
		if dig.err != nil {
			return dig.err
		}
	}
}
