package queue

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// Dead iterates over the dead payloads of the given keys of a queue, in no order. It yields nothing
// for an unknown queue. Payloads that change during the call may be missing or appear twice. The
// memory of the call does not grow with the number of payloads.
func (a *Admin) Dead(ctx context.Context, queue string, keys ...string) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		stopped := false
		_, err := a.each(ctx, queue, "go through the dead", func(k *shardKeys) (int, error) {
			for _, key := range keys {
				if stopped || shardOf(key, k.of) != k.id.Index {
					continue
				}
				err := a.deadOf(ctx, k, key, func(h Held) bool {
					stopped = stopped || !yield(h, nil)
					return !stopped
				})
				if err != nil {
					return 0, err
				}
			}
			return 0, nil
		})
		if err = unlessUnknown(err); err != nil && !stopped {
			yield(Held{}, err)
		}
	}
}

func (a *Admin) deadOf(ctx context.Context, k *shardKeys, key string, visit func(Held) bool) error {
	for cursor := uint64(0); ; {
		list, next, err := a.rdb.ZScan(ctx, k.deadPayloads+key, cursor, "", heldPage).Result()
		if err != nil {
			return err
		}
		for i := 0; i+1 < len(list); i += 2 {
			score, err := strconv.ParseFloat(list[i+1], 64)
			if err == nil && !visit(Held{key, []byte(list[i]), score, false}) {
				return nil
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// removeDeadSlice is the maximum number of payloads that one script removes.
const removeDeadSlice = 100

// RemoveDead deletes the given payloads of one key from the morgue of a queue, and returns how many
// it deleted. Other payloads of the key stay.
func (a *Admin) RemoveDead(ctx context.Context, queue, key string, payloads ...[]byte) (int, error) {
	return a.each(ctx, queue, "exhume", func(k *shardKeys) (int, error) {
		total := 0
		if shardOf(key, k.of) != k.id.Index {
			return 0, nil
		}
		for part := range slices.Chunk(payloads, removeDeadSlice) {
			c := &call{script: deadRemoveScript, args: []any{key}, keys: []string{k.morgue, k.deadErrors, k.deadPayloads}}
			for _, p := range part {
				c.args = append(c.args, p)
			}
			ctx, cancel := context.WithTimeout(ctx, callTimeout)
			a.client.engine.run(ctx, []*call{c})
			cancel()
			if c.err != nil {
				return total, fmt.Errorf("key %q: %w", key, c.err)
			}
			total += int(c.status())
		}
		return total, nil
	})
}
