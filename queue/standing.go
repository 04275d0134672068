package queue

import (
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"
)

// Standing is where a key stands in a queue. The zero value: nothing of it waits
// or is dead; it may be in flight.
type Standing struct {
	Waiting bool // payloads of it wait
	Failed  bool // they wait, and the first of them has failed
	Later   bool // they wait for a later time: PerformNow would make them due
	Dead    bool // payloads of it are in the morgue
}

// standingKeys is how many keys one pipeline looks up.
const standingKeys = 200

// Standings returns where each of the keys stands, in their order; nowhere in a
// queue that Redis has not seen.
func (a *Admin) Standings(ctx context.Context, queue string, keys ...string) ([]Standing, error) {
	list := make([]Standing, len(keys))
	_, err := a.each(ctx, queue, "look up keys", func(k *shardKeys) (int, error) {
		var mine []int
		for i, key := range keys {
			if shardOf(key, k.of) == k.id.Index {
				mine = append(mine, i)
			}
		}
		for part := range slices.Chunk(mine, standingKeys) {
			if err := a.standings(ctx, k, keys, part, list); err != nil {
				return 0, err
			}
		}
		return 0, nil
	})
	return list, unlessUnknown(err)
}

// standings adds what a shard holds of the keys numbered in part.
func (a *Admin) standings(ctx context.Context, k *shardKeys, keys []string, part []int, list []Standing) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	type look struct {
		waits             *redis.BoolCmd
		failed, due, dead *redis.FloatCmd
		behind            *redis.StringCmd
	}
	pipe, looks := a.rdb.Pipeline(), make([]look, len(part))
	for j, i := range part {
		key := keys[i]
		looks[j] = look{
			pipe.HExists(ctx, k.jobs, key), pipe.ZScore(ctx, k.retries, key), pipe.ZScore(ctx, k.due, key),
			pipe.ZScore(ctx, k.morgue, key), pipe.HGet(ctx, k.wait, key),
		}
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	now := a.client.opt.Now().UnixMilli()
	for j, i := range part {
		at := max(looks[j].due.Val(), float64(count(looks[j].behind.Val())))
		s := &list[i]
		s.Waiting = s.Waiting || looks[j].waits.Val()
		s.Failed = s.Failed || looks[j].waits.Val() && looks[j].failed.Err() == nil
		s.Later = s.Later || at > float64(now)
		s.Dead = s.Dead || looks[j].dead.Err() == nil
	}
	return nil
}
