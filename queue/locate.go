package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// locateKeys is the maximum number of payloads that one script locates.
const locateKeys = 50

// Ref is the identity of a payload that may be in a queue.
type Ref struct {
	Key   string
	Score float64
	Head  string // enough of the payload's first bytes to identify it
}

// Place holds the number of copies of a payload by state. If all numbers are 0, Locate has not found
// the payload.
type Place struct {
	Waiting int // due, delayed or waiting for a retry
	Busy    int // in flight
	Dead    int // in the morgue

	// Redelivered reports whether payloads of the key were redelivered, or will be at the next
	// fetch.
	Redelivered bool
}

// Locate returns the Place of each payload, or zero values for an unknown queue. It may miss a
// payload in flight if the key has more than 500 of them. It may miss a waiting or dead payload if
// the key has more than 100 of them with the same Ref.Score. One script reads all states of a
// payload at once, so Locate does not miss a payload that changes its state meanwhile.
func (a *Admin) Locate(ctx context.Context, queue string, refs ...Ref) ([]Place, error) {
	places := make([]Place, len(refs))
	_, err := a.each(ctx, queue, "locate", func(k *shardKeys) (int, error) {
		var mine []int
		for i, ref := range refs {
			if shardOf(ref.Key, k.of) == k.id.Index {
				mine = append(mine, i)
			}
		}
		for len(mine) > 0 {
			part := mine[:min(locateKeys, len(mine))]
			if err := a.locate(ctx, k, refs, part, places); err != nil {
				return 0, err
			}
			mine = mine[len(part):]
		}
		return 0, nil
	})
	return places, unlessUnknown(err)
}

// locate counts the copies of payloads in one shard, and adds the counts to `places`. The indexes
// in `part` select the payloads from `refs`.
func (a *Admin) locate(ctx context.Context, k *shardKeys, refs []Ref, part []int, places []Place) error {
	c := &call{script: locateScript, keys: []string{k.jobs, k.busy, k.redeliveries, k.payloads, k.deadPayloads}}
	for _, i := range part {
		c.args = append(c.args, refs[i].Key, formatScore(refs[i].Score), refs[i].Head)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	a.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return c.err
	}
	if len(c.reply) != 4*len(part) {
		return errRecord
	}
	number := func(i int) int { n, _ := c.reply[i].(int64); return int(n) }
	for j, i := range part {
		p := &places[i]
		p.Waiting += number(4 * j)
		p.Busy += number(4*j + 1)
		p.Dead += number(4*j + 2)
		p.Redelivered = p.Redelivered || number(4*j+3) > 0
	}
	return nil
}

// unlessUnknown returns nil for ErrUnknownQueue, and other errors unchanged.
func unlessUnknown(err error) error {
	if errors.Is(err, ErrUnknownQueue) {
		return nil
	}
	return err
}

// Held is a payload of a queue. Admin.Held returns payloads that wait or are in flight, and
// Admin.Dead returns payloads in the morgue.
type Held struct {
	Key     string
	Payload []byte
	Score   float64
	Busy    bool
}

// heldPage is about how many keys or payloads Held and Dead read at once.
const heldPage = 100

// Held iterates over the waiting payloads of a queue and those in flight, in no order. It yields nothing
// for an unknown queue. Payloads whose state changes during the call may be missing or appear twice. The
// memory of the call does not grow with the number of keys.
func (a *Admin) Held(ctx context.Context, queue string) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		stopped := false
		_, err := a.each(ctx, queue, "go through", func(k *shardKeys) (int, error) {
			visit := func(h Held) bool {
				stopped = stopped || !yield(h, nil)
				return !stopped
			}
			if err := a.heldBusy(ctx, k, visit); err != nil || stopped {
				return 0, err
			}
			return 0, a.heldWaiting(ctx, k, visit)
		})
		if err = unlessUnknown(err); err != nil && !stopped {
			yield(Held{}, err)
		}
	}
}

func (a *Admin) heldBusy(ctx context.Context, k *shardKeys, visit func(Held) bool) error {
	return eachField(ctx, a.rdb, k.busy, func(key, value string) (bool, error) {
		rec, err := decodeRecord(value)
		if err != nil {
			return true, nil // its node moves the record to the morgue
		}
		for _, it := range rec.items {
			if !visit(Held{key, []byte(it.payload), it.score, true}) {
				return false, nil
			}
		}
		return true, nil
	})
}

func (a *Admin) heldWaiting(ctx context.Context, k *shardKeys, visit func(Held) bool) error {
	return eachField(ctx, a.rdb, k.jobs, func(key, body string) (bool, error) {
		if body = strings.TrimPrefix(body, readyMark); body != "*" {
			it, _, err := decodeItem(body)
			return err != nil || visit(Held{key, []byte(it.payload), it.score, false}), nil
		}
		for cursor := uint64(0); ; {
			list, next, err := a.rdb.ZScan(ctx, k.payloads+key, cursor, "", heldPage).Result()
			if err != nil {
				return false, err
			}
			for i := 0; i+1 < len(list); i += 2 {
				score, err := strconv.ParseFloat(list[i+1], 64)
				if err == nil && !visit(Held{key, []byte(list[i]), score, false}) {
					return false, nil
				}
			}
			if cursor = next; cursor == 0 {
				return true, nil
			}
		}
	})
}

// eachField calls the function `visit` for the fields of a hash until `visit` returns false or an
// error.
func eachField(
	ctx context.Context, rdb redis.UniversalClient, hash string,
	visit func(field, value string) (bool, error),
) error {
	for cursor := uint64(0); ; {
		list, next, err := rdb.HScan(ctx, hash, cursor, "", heldPage).Result()
		if err != nil {
			return fmt.Errorf("queue: go through %s: %w", hash, err)
		}
		for i := 0; i+1 < len(list); i += 2 {
			if on, err := visit(list[i], list[i+1]); err != nil || !on {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}
