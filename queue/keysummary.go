package queue

import (
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"
)

// KeySummary is the state of a key in a queue. The zero value means that the key has no waiting or
// dead payloads; it may be in flight.
type KeySummary struct {
	Waiting bool // it has waiting payloads
	Failed  bool // it has waiting payloads, and the first has failed
	Later   bool // it waits for a later time: PerformNow would make it due
	Dead    bool // it has payloads in the morgue
}

// summaryKeys is the maximum number of keys that one pipeline reads.
const summaryKeys = 200

// KeySummaries returns the state of each key, in the order of the arguments. For an unknown queue all
// states are zero values.
func (a *Admin) KeySummaries(ctx context.Context, queue string, keys ...string) ([]KeySummary, error) {
	list := make([]KeySummary, len(keys))
	_, err := a.each(ctx, queue, "look up keys", func(k *shardKeys) (int, error) {
		var mine []int
		for i, key := range keys {
			if shardOf(key, k.of) == k.id.Index {
				mine = append(mine, i)
			}
		}
		for part := range slices.Chunk(mine, summaryKeys) {
			if err := a.keySummaries(ctx, k, keys, part, list); err != nil {
				return 0, err
			}
		}
		return 0, nil
	})
	return list, unlessUnknown(err)
}

// keySummaries reads the states of some keys from one shard, and stores them in `list`. The indexes
// in `part` select the keys.
func (a *Admin) keySummaries(ctx context.Context, k *shardKeys, keys []string, part []int, list []KeySummary) error {
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
