package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// KeyState is the state of a key. Waiting is nil if the key has no waiting payloads, and Busy is nil if
// the key is not in flight.
type KeyState struct {
	Shard   string   // name of its shard, "" for an unknown queue
	Waiting *KeyInfo // waiting payloads, the lowest score first
	Busy    *BusyKey // payloads in flight

	// Stranded reports whether the key waits but is in no list of keys to run, so that its payloads
	// never run. Admin.Relist repairs this.
	Stranded bool
}

// Key returns the state of one key of a queue, or the zero value for an unknown queue. During a
// reshard, Key reads the older layout first, and the newer one only if the older does not have the
// key.
func (a *Admin) Key(ctx context.Context, queue, key string) (st KeyState, err error) {
	_, err = a.each(ctx, queue, "look up", func(k *shardKeys) (int, error) {
		if shardOf(key, k.of) != k.id.Index || st.Waiting != nil || st.Busy != nil {
			return 0, nil
		}
		st.Shard = k.id.name()
		list, err := a.waitingDetails(ctx, []hit{{position: position{key: key}, shard: k}}, shownEach)
		if err != nil {
			return 0, err
		}
		if len(list) > 0 {
			st.Waiting = &list[0]
			found, err := a.relist(ctx, k, []string{key}, "")
			if err != nil {
				return 0, err
			}
			st.Stranded = len(found) > 0
		}
		st.Busy, err = a.busyKey(ctx, k, key)
		return 0, err
	})
	return st, unlessUnknown(err)
}

// busyKey returns a key in flight in a shard, or nil if the key is not in flight or its record is
// unreadable.
func (a *Admin) busyKey(ctx context.Context, k *shardKeys, key string) (*BusyKey, error) {
	pipe := a.rdb.Pipeline()
	record, lease := pipe.HGet(ctx, k.busy, key), pipe.Get(ctx, k.lease)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("queue: look up %q: %w", key, err)
	}
	if record.Err() != nil {
		return nil, nil
	}
	rec, err := decodeRecord(record.Val())
	if err != nil {
		return nil, nil //nolint:nilerr // its node moves the record to the morgue
	}
	return rec.busy(k, key, ownerIn(lease.Val())), nil
}

func (r *record) busy(k *shardKeys, key, node string) *BusyKey {
	b := BusyKey{Shard: k.id.Index, Node: node, Redelivered: r.redeliveries}
	b.Key, b.RetryCount, b.RunAt = key, r.retry, time.UnixMilli(r.runAt)
	for _, it := range r.items {
		b.Payloads = append(b.Payloads, PayloadInfo{[]byte(it.payload), it.score})
	}
	b.Count = len(b.Payloads)
	return &b
}
