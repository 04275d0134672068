package queue

import (
	"cmp"
	"context"
	_ "embed" // for the scripts
	"iter"
	"maps"
	"slices"
	"strings"
)

var (
	//go:embed lua/unlisted.lua
	unlistedLua string
	//go:embed lua/relist.lua
	relistLua string

	unlistedScript = newScript("unlisted", unlistedLua)
	relistScript   = newScript("relist", preludeLua, relistLua)
)

// claimKeys is the number of keys with readyMark that Admin.unlisted collects before it looks them up in
// the ready list.
const claimKeys = 20_000

// Stranded iterates over the stranded keys of a queue, each with its first 100 payloads. Stranded keys
// wait, but are in no list of keys to run, so they never run. The scripts of this version leave no such
// keys. An older version or a manual change in Redis may have left them. A key that Stranded yields was
// stranded at one moment during the call. Stranded yields nothing for an unknown queue. The memory of
// the call does not grow with the number of keys.
func (a *Admin) Stranded(ctx context.Context, queue string) iter.Seq2[KeyInfo, error] {
	return func(yield func(KeyInfo, error) bool) {
		stopped := false
		_, err := a.each(ctx, queue, "look for stranded keys", func(k *shardKeys) (int, error) {
			if stopped {
				return 0, nil
			}
			return 0, a.unlisted(ctx, k, func(candidates []string) error {
				list, err := a.stranded(ctx, k, candidates)
				for i := range list {
					stopped = stopped || !yield(list[i], nil)
				}
				return err
			})
		})
		if err = unlessUnknown(err); err != nil && !stopped {
			yield(KeyInfo{}, err)
		}
	}
}

// Relist makes stranded keys of a queue due now, marked as redelivered, and returns their number. A
// stranded key in flight becomes due after its delivery. Other keys stay unchanged.
func (a *Admin) Relist(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.each(ctx, queue, "relist", func(k *shardKeys) (int, error) {
		mine := slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
			return shardOf(key, k.of) != k.id.Index
		})
		total := 0
		for part := range slices.Chunk(mine, bulkKeys) {
			found, err := a.relist(ctx, k, part, a.now())
			if total += len(found); err != nil {
				return total, err
			}
		}
		return total, nil
	})
}

// stranded returns the stranded keys among `keys` of a shard.
func (a *Admin) stranded(ctx context.Context, k *shardKeys, keys []string) ([]KeyInfo, error) {
	var hits []hit
	for part := range slices.Chunk(keys, bulkKeys) {
		found, err := a.relist(ctx, k, part, "")
		if err != nil {
			return nil, err
		}
		for _, key := range found {
			hits = append(hits, hit{position: position{key: key}, shard: k})
		}
	}
	return a.waitingDetails(ctx, hits, shownEach)
}

// relist puts the stranded keys among `keys` back into a list of keys to run, and returns them. If `now`
// is "", it only returns them.
func (a *Admin) relist(ctx context.Context, k *shardKeys, keys []string, now string) ([]string, error) {
	c := &call{
		script: relistScript, keys: []string{k.due, k.jobs, k.busy, k.wait, k.ready, k.redeliveries},
		args: []any{now, a.keys.wake(k.id.Queue), k.id.name()},
	}
	for _, key := range keys {
		c.args = append(c.args, key)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	a.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return nil, c.err
	}
	found := make([]string, 0, len(c.reply))
	for _, value := range c.reply {
		key, _ := value.(string)
		found = append(found, key)
	}
	return found, nil
}

// unlisted calls the function `visit` with keys of a shard that seem to be in no list of keys to run. A
// key may have entered a list meanwhile.
func (a *Admin) unlisted(ctx context.Context, k *shardKeys, visit func([]string) error) error {
	claims := make(map[string]bool)
	for cursor := "0"; ; {
		next, sure, err := a.unlistedPage(ctx, k, cursor, claims)
		if err != nil {
			return err
		}
		if len(claims) >= claimKeys || next == "0" {
			if err := a.dropReady(ctx, k, claims); err != nil {
				return err
			}
			sure = slices.AppendSeq(sure, maps.Keys(claims))
			clear(claims)
		}
		if len(sure) > 0 {
			if err := visit(sure); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "0" {
			return nil
		}
	}
}

// unlistedPage reads one page of waiting keys, and returns the next cursor. The script selects keys that
// are neither in due nor behind a delivery in flight. It does not read the ready list. Selected keys with
// readyMark may be in the ready list, and are added to `claims`. The other selected keys are in no list,
// and are returned.
func (a *Admin) unlistedPage(
	ctx context.Context, k *shardKeys, cursor string, claims map[string]bool,
) (next string, sure []string, err error) {
	c := &call{
		script: unlistedScript, keys: []string{k.due, k.jobs, k.busy, k.wait},
		args: []any{cursor, scanPage},
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	a.client.engine.run(ctx, []*call{c})
	if c.err != nil {
		return "", nil, c.err
	}
	for i := 1; i+1 < len(c.reply); i += 2 {
		key, _ := c.reply[i].(string)
		if claim, _ := c.reply[i+1].(int64); claim == 1 {
			claims[key] = true
		} else {
			sure = append(sure, key)
		}
	}
	next, _ = c.reply[0].(string)
	return cmp.Or(next, "0"), sure, nil
}

// dropReady deletes from the given map the keys that are in the ready list of a shard. It reads the
// list from its end, since entries leave the list at its front.
func (a *Admin) dropReady(ctx context.Context, k *shardKeys, keys map[string]bool) error {
	for last := int64(-1); len(keys) > 0; last -= scanPage {
		page, err := a.rdb.LRange(ctx, k.ready, last-scanPage+1, last).Result()
		if err != nil || len(page) == 0 {
			return err
		}
		for _, entry := range page {
			_, key, _ := strings.Cut(entry, ";")
			delete(keys, key)
		}
	}
	return nil
}
