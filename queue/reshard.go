package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// ErrResharding means that keys are still moving from the previous layout. A later call may
// succeed.
var ErrResharding = errors.New("queue is being resharded")

// Reshard changes the number of shards of a queue during operation. New keys go to the new shards at
// once. A key that waits or runs stays in its old shard, with any new payloads, until none of its
// payloads waits or runs there. The key thereby keeps its order. Clients and nodes adopt the new layout
// without a restart. A call with the current number is a no-op. Reshard returns ErrResharding while an
// earlier change has not ended.
func (a *Admin) Reshard(ctx context.Context, queue string, shards int) error {
	if err := checkShards(shards); err != nil {
		return fmt.Errorf("queue: reshard %q: %w", queue, err)
	}
	l, err := a.begun(ctx, queue)
	if err != nil || l.shards == shards {
		return err
	}
	if l.oldShards > 0 {
		return fmt.Errorf("queue: reshard %q: %w", queue, ErrResharding)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if l.generation >= maxGenerations {
		return fmt.Errorf("queue: reshard %q: %w: resharded %d times already", queue, ErrShardCount, l.generation)
	}
	next := layout{generation: l.generation + 1, shards: shards, oldGeneration: l.generation, oldShards: l.shards}
	if err := a.keys.openGates(ctx, a.rdb, queue, next); err != nil {
		return fmt.Errorf("queue: reshard %q: %w", queue, err)
	}
	c := &call{script: relayoutScript, keys: []string{a.keys.layout(queue)}, args: []any{l.generation, shards}}
	a.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return fmt.Errorf("queue: reshard %q: %w", queue, c.err)
	}
	if c.status() == 0 {
		if l, err = a.layout(ctx, queue); err != nil || l.generation != next.generation || l.shards != shards {
			return errors.Join(fmt.Errorf("queue: reshard %q: %w", queue, ErrResharding), err)
		}
	}
	if _, err := a.keys.closeGates(ctx, a.rdb, queue, next); err != nil {
		return fmt.Errorf("queue: reshard %q: %w", queue, err)
	}
	return a.announce(ctx, queue)
}

// openGates makes the shards of the newer layout accept keys.
func (k keyspace) openGates(
	ctx context.Context, rdb redis.UniversalClient, queue string, l layout,
) error {
	var calls []*call
	for _, id := range l.ids(queue)[l.oldShards:] {
		calls = append(calls, exempt(onString, "SET", k.shardOf(id).gate, gateOpen))
	}
	return runExempt(ctx, rdb, "open shards", calls...)
}

// closeGates makes the shards of the older layout refuse new keys, and then reads their figures. An
// empty closed shard stays empty.
func (k keyspace) closeGates(
	ctx context.Context, rdb redis.UniversalClient, queue string, l layout,
) ([]shardReplies, error) {
	var calls []*call
	for _, id := range l.ids(queue)[:l.oldShards] {
		calls = append(calls, exempt(onString, "SET", k.shardOf(id).gate, gateClosed))
	}
	if err := runExempt(ctx, rdb, "close shards", calls...); err != nil {
		return nil, err
	}
	return k.readShards(ctx, rdb, l.ids(queue)[:l.oldShards])
}

// retire closes the older layout. If payloads other than dead ones are left in it, the method stops
// and returns false. Otherwise it moves the dead payloads and the wanted keys to the newer layout,
// removes the older layout, and returns true.
func (e *engine) retire(ctx context.Context, queue string, l layout) (bool, error) {
	k, rdb := e.keys, e.rdb
	looks, err := k.closeGates(ctx, rdb, queue, l)
	if err != nil {
		return false, fmt.Errorf("queue: retire shards of %q: %w", queue, err)
	}
	var sum Stats
	for _, look := range looks {
		st := look.stats(startOfTime)
		sum.Length += st.Length + st.Busy
		sum.Processed += st.Processed
		sum.Failed += st.Failed
	}
	if sum.Length > 0 {
		return false, nil
	}
	if err := e.moveMorgue(ctx, queue, l); err != nil {
		return false, fmt.Errorf("queue: move the morgue of %q: %w", queue, err)
	}
	if err := e.moveWanted(ctx, queue, l); err != nil {
		return false, fmt.Errorf("queue: move the wanted keys of %q: %w", queue, err)
	}
	c := &call{
		script: dropLayoutScript, keys: []string{k.layout(queue)},
		args: []any{l.oldGeneration, sum.Processed, sum.Failed},
	}
	e.run(ctx, []*call{c})
	if c.err != nil {
		return false, fmt.Errorf("queue: retire shards of %q: %w", queue, c.err)
	}
	return true, k.sweep(ctx, rdb, queue, l)
}

// sweep deletes the remaining data of the older layout, after all its jobs were moved or done. The gates
// and the last tokens of its shards stay, because a paused process may resume later and write. Delivery
// numbers stay, too. Without these numbers, an owner that fetches once more would report lost writes.
func (k keyspace) sweep(
	ctx context.Context, rdb redis.UniversalClient, queue string, l layout,
) error {
	pipe := rdb.Pipeline()
	for _, id := range l.ids(queue)[:l.oldShards] {
		sh := k.shardOf(id)
		pipe.Unlink(ctx, sh.stats, sh.ready, sh.due, sh.errors, sh.redeliveries, sh.crashes, sh.limits, sh.wanted)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// moveWanted copies the wanted keys of the older layout to the newer one. The caller deletes the
// originals later, with sweep, so after a crash they are copied again.
func (e *engine) moveWanted(ctx context.Context, queue string, l layout) error {
	ids := l.ids(queue)
	for _, id := range ids[:l.oldShards] {
		from := e.keys.shardOf(id)
		for at := int64(0); ; at += bulkKeys {
			page, err := e.rdb.ZRangeWithScores(ctx, from.wanted, at, at+bulkKeys-1).Result()
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			var calls []*call
			for _, z := range page {
				key, _ := z.Member.(string)
				to := e.keys.shardOf(ids[l.oldShards+shardOf(key, l.shards)])
				calls = append(calls, exempt(onZset, "ZADD", to.wanted, "NX", formatScore(z.Score), key))
			}
			if err := runExempt(ctx, e.rdb, "move wanted keys", calls...); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveMorgue copies the dead payloads of the older layout to the newer one, then deletes the
// originals.
func (e *engine) moveMorgue(ctx context.Context, queue string, l layout) error {
	ids := l.ids(queue)
	for _, id := range ids[:l.oldShards] {
		from := e.keys.shardOf(id)
		for {
			keys, err := e.rdb.ZRange(ctx, from.morgue, 0, 99).Result()
			if err != nil {
				return err
			}
			if len(keys) == 0 {
				break
			}
			for _, key := range keys {
				to := e.keys.shardOf(ids[l.oldShards+shardOf(key, l.shards)])
				if err := e.moveDead(ctx, key, from, to); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// deadSlice is the maximum number of dead payloads of a key that one step moves.
const deadSlice = 200

func (e *engine) moveDead(ctx context.Context, key string, from, to *shardKeys) error {
	pipe := e.rdb.Pipeline()
	at := pipe.ZScore(ctx, from.morgue, key)
	text := pipe.HGet(ctx, from.deadErrors, key)
	payloads := pipe.ZRangeWithScores(ctx, from.deadPayloads+key, 0, deadSlice-1)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	in := []any{key, formatScore(at.Val()), text.Val()}
	out := []any{key}
	for _, z := range payloads.Val() {
		in = append(in, formatScore(z.Score), z.Member)
		out = append(out, z.Member)
	}
	bury := &call{script: deadAddScript, args: in, keys: []string{to.morgue, to.deadErrors, to.deadPayloads}}
	e.run(ctx, []*call{bury})
	if bury.err != nil {
		return bury.err
	}
	dig := &call{script: deadRemoveScript, args: out, keys: []string{from.morgue, from.deadErrors, from.deadPayloads}}
	e.run(ctx, []*call{dig})
	return dig.err
}
