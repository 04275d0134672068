package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Waiting returns a page of the waiting keys of a queue, ordered by key, run-at or retry count.
// Keys that change during the call may be missing or appear on two pages.
func (a *Admin) Waiting(ctx context.Context, queue string, q Query) (Page, error) {
	s, err := newSearch(q, ByKey, ByRunAt, ByRetryCount)
	if err != nil {
		return Page{}, err
	}
	_, err = a.each(ctx, queue, "browse", func(k *shardKeys) (int, error) {
		if s.q.By != ByRunAt {
			return 0, a.scan(ctx, k, func(key string, retry float64, _ int) {
				if s.q.By == ByKey {
					retry = 0
				}
				s.offer(hit{position: position{retry, key}, shard: k})
			})
		}
		if err := s.zset(ctx, a.rdb, k.due, k); err != nil {
			return 0, err
		}
		err := eachField(ctx, a.rdb, k.wait, func(key, at string) (bool, error) { // keys with a delivery in flight
			s.offer(hit{position: position{float64(count(at)), key}, shard: k, runAt: float64(count(at))})
			return true, nil
		})
		if err != nil {
			return 0, err
		}
		return 0, a.eachReady(ctx, k, func(at float64, key string) {
			s.offer(hit{position: position{at, key}, shard: k, runAt: at})
		})
	})
	if err != nil {
		return Page{}, err
	}
	hits, cursor := s.page()
	keys, err := a.waitingDetails(ctx, hits, s.q.Each)
	return Page{Keys: keys, Cursor: cursor}, err
}

// Morgue returns a page of the dead keys of a queue, ordered by key or by time of death.
func (a *Admin) Morgue(ctx context.Context, queue string, q Query) (Page, error) {
	s, err := newSearch(q, ByKey, ByUpdatedAt)
	if err != nil {
		return Page{}, err
	}
	_, err = a.each(ctx, queue, "browse", func(k *shardKeys) (int, error) {
		if s.q.By == ByUpdatedAt {
			return 0, s.zset(ctx, a.rdb, k.morgue, k)
		}
		return 0, a.eachDeadKey(ctx, k, func(key string) { s.offer(hit{position: position{key: key}, shard: k}) })
	})
	if err != nil {
		return Page{}, err
	}
	hits, cursor := s.page()
	keys, err := a.deadDetails(ctx, hits, s.q.Each)
	return Page{Keys: keys, Cursor: cursor}, err
}

// EachDead calls the function `visit` for each dead key of a queue, in no order. It may visit a key
// twice. It reads no jobs.
func (a *Admin) EachDead(ctx context.Context, queue string, visit func(key string)) error {
	_, err := a.each(ctx, queue, "scan morgue", func(k *shardKeys) (int, error) {
		return 0, a.eachDeadKey(ctx, k, visit)
	})
	return err
}

func (a *Admin) eachDeadKey(ctx context.Context, k *shardKeys, visit func(key string)) error {
	iter := a.rdb.ZScan(ctx, k.morgue, 0, "", scanPage).Iterator()
	for iter.Next(ctx) {
		visit(iter.Val())
		iter.Next(ctx) // its score
	}
	return iter.Err()
}

// BusyKey is a key in flight.
type BusyKey struct {
	KeyInfo
	Shard       int
	Node        string // owner of the shard; "" = no node has the lease
	Redelivered int
}

// Busy returns keys in flight with the given prefix, up to `limit`. A `limit` of 0 means 100.
func (a *Admin) Busy(ctx context.Context, queue, prefix string, limit int) ([]BusyKey, error) {
	limit = cmp.Or(limit, 100)
	var list []BusyKey
	_, err := a.each(ctx, queue, "list busy", func(k *shardKeys) (int, error) {
		node := ownerIn(a.rdb.Get(ctx, k.lease).Val())
		iter := a.rdb.HScan(ctx, k.busy, 0, "", scanPage).Iterator()
		for len(list) < limit && iter.Next(ctx) {
			key := iter.Val()
			iter.Next(ctx)
			rec, err := decodeRecord(iter.Val())
			if err != nil || !strings.HasPrefix(key, prefix) {
				continue // its node moves an unreadable record to the morgue
			}
			list = append(list, *rec.busy(k, key, node))
		}
		return 0, iter.Err()
	})
	return list, err
}

// HotKey is a key with its number of waiting payloads.
type HotKey struct {
	Key   string
	Count int
}

// HotKeys returns the n keys with the most waiting payloads among the keys with the given prefix, in
// descending order. It reads every waiting key, about a thousand at a time. For the keys that have
// waited longest, use Waiting with ByRunAt.
func (a *Admin) HotKeys(ctx context.Context, queue, prefix string, n int) ([]HotKey, error) {
	var top []HotKey
	order := func(x, y HotKey) int { return cmp.Or(y.Count-x.Count, strings.Compare(x.Key, y.Key)) }
	_, err := a.each(ctx, queue, "look for hot keys", func(k *shardKeys) (int, error) {
		return 0, a.scan(ctx, k, func(key string, _ float64, count int) {
			h := HotKey{key, count}
			if !strings.HasPrefix(key, prefix) {
				return
			}
			if i, found := slices.BinarySearchFunc(top, h, order); !found && i < n {
				top = slices.Insert(top, i, h)
				top = top[:min(n, len(top))]
			}
		})
	})
	return top, err
}

// scan calls the function `visit` for each waiting key of a shard. It may visit a key twice.
func (a *Admin) scan(
	ctx context.Context, k *shardKeys, visit func(key string, retry float64, count int),
) error {
	for cursor := "0"; ; {
		c := &call{
			script: keysScript, keys: []string{k.jobs, k.retries, k.payloads},
			args: []any{cursor, scanPage},
		}
		bounded, cancel := context.WithTimeout(ctx, callTimeout)
		a.client.engine.run(bounded, []*call{c})
		cancel()
		if c.err != nil {
			return c.err
		}
		for i := 1; i+2 < len(c.reply); i += 3 {
			key, _ := c.reply[i].(string)
			text, _ := c.reply[i+1].(string)
			retry, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("%w: retry count %.40q", errRecord, text)
			}
			count, _ := c.reply[i+2].(int64)
			visit(key, retry, int(count))
		}
		if cursor, _ = c.reply[0].(string); cursor == "0" || cursor == "" {
			return nil
		}
	}
}

// eachReady calls the function `visit` for each entry of the ready list of a shard. An entry may
// belong to a deleted key.
func (a *Admin) eachReady(ctx context.Context, k *shardKeys, visit func(at float64, key string)) error {
	for from := int64(0); ; from += scanPage {
		list, err := a.rdb.LRange(ctx, k.ready, from, from+scanPage-1).Result()
		if err != nil {
			return err
		}
		for _, entry := range list {
			text, key, _ := strings.Cut(entry, ";")
			if at, err := strconv.ParseFloat(text, 64); err == nil {
				visit(at, key)
			}
		}
		if len(list) < scanPage {
			return nil
		}
	}
}

// detail holds the commands that read one waiting or dead key.
type detail struct {
	body, err, wait *redis.StringCmd
	retry, due      *redis.FloatCmd
	more            *redis.ZSliceCmd
	count           *redis.IntCmd
}

// readAll runs the commands of a pipeline. It ignores the error of a missing value.
func readAll(ctx context.Context, pipe redis.Pipeliner) error {
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return fmt.Errorf("queue: browse: %w", err)
	}
	return nil
}

func (a *Admin) waitingDetails(ctx context.Context, hits []hit, each int) ([]KeyInfo, error) {
	pipe := a.rdb.Pipeline()
	looks := make([]detail, len(hits))
	for i, h := range hits {
		k := h.shard
		looks[i] = detail{
			body: pipe.HGet(ctx, k.jobs, h.key), err: pipe.HGet(ctx, k.errors, h.key),
			wait: pipe.HGet(ctx, k.wait, h.key), retry: pipe.ZScore(ctx, k.retries, h.key),
			due: pipe.ZScore(ctx, k.due, h.key), count: pipe.ZCard(ctx, k.payloads+h.key),
			more: pipe.ZRangeWithScores(ctx, k.payloads+h.key, 0, int64(each)-1),
		}
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	runAts, err := a.runAts(ctx, hits, looks)
	if err != nil {
		return nil, err
	}
	keys := make([]KeyInfo, 0, len(hits))
	for i, h := range hits {
		if looks[i].body.Val() != "" { // otherwise the key has been removed meanwhile
			keys = append(keys, looks[i].info(h.key, runAts[h.key]))
		}
	}
	return keys, nil
}

// runAts returns the run-at of each key in `hits`, in unix ms. If an entry of `hits` has no run-at,
// runAts reads it from the ready list. It leaves out keys without a run-at.
func (a *Admin) runAts(
	ctx context.Context, hits []hit, looks []detail,
) (map[string]float64, error) {
	runAts, missing := make(map[string]float64), make(map[*shardKeys]map[string]bool)
	for i, h := range hits {
		if h.runAt != 0 {
			runAts[h.key] = h.runAt
		} else if strings.HasPrefix(looks[i].body.Val(), readyMark) {
			if missing[h.shard] == nil {
				missing[h.shard] = make(map[string]bool)
			}
			missing[h.shard][h.key] = true
		}
	}
	for k, keys := range missing {
		err := a.eachReady(ctx, k, func(at float64, key string) {
			if keys[key] {
				runAts[key] = at
			}
		})
		if err != nil {
			return nil, fmt.Errorf("queue: browse: %w", err)
		}
	}
	return runAts, nil
}

func (d detail) info(key string, runAt float64) KeyInfo {
	at := max(runAt, d.due.Val(), float64(count(d.wait.Val())))
	info := KeyInfo{Key: key, RetryCount: -1, RunAt: time.UnixMilli(int64(at)), Err: d.err.Val()}
	if d.retry.Err() == nil {
		info.RetryCount = int(d.retry.Val())
	}
	body := strings.TrimPrefix(d.body.Val(), readyMark)
	if it, _, err := decodeItem(body); body != "*" && err == nil {
		info.Payloads, info.Count = []PayloadInfo{{[]byte(it.payload), it.score}}, 1
		return info
	}
	info.Payloads, info.Count = payloads(d.more.Val()), int(d.count.Val())
	return info
}

func payloads(list []redis.Z) []PayloadInfo {
	out := make([]PayloadInfo, len(list))
	for i, z := range list {
		text, _ := z.Member.(string)
		out[i] = PayloadInfo{[]byte(text), z.Score}
	}
	return out
}

func (a *Admin) deadDetails(ctx context.Context, hits []hit, each int) ([]KeyInfo, error) {
	pipe := a.rdb.Pipeline()
	looks := make([]detail, len(hits))
	for i, h := range hits {
		k := h.shard
		looks[i] = detail{
			err: pipe.HGet(ctx, k.deadErrors, h.key), due: pipe.ZScore(ctx, k.morgue, h.key),
			count: pipe.ZCard(ctx, k.deadPayloads+h.key),
			more:  pipe.ZRangeWithScores(ctx, k.deadPayloads+h.key, 0, int64(each)-1),
		}
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	keys := make([]KeyInfo, 0, len(hits))
	for i, h := range hits {
		if d := looks[i]; d.count.Val() > 0 {
			keys = append(keys, KeyInfo{
				Key: h.key, RetryCount: -1, UpdatedAt: time.UnixMilli(int64(math.Round(d.due.Val()))),
				Payloads: payloads(d.more.Val()), Count: int(d.count.Val()), Err: d.err.Val(),
			})
		}
	}
	return keys, nil
}
