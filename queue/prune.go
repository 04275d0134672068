package queue

import (
	"context"
	_ "embed" // for the script
	"errors"
)

//go:embed lua/prune.lua
var pruneLua string

var pruneScript = newScript("prune", pruneLua)

// prunePage is how many entries of the ready list one script reads.
const prunePage = 1000

// dropping holds the scripts that drop waiting keys, by shard. Each returns how many of its keys were
// in the ready list.
type dropping struct {
	a     *Admin
	calls map[*shardKeys][]*call
}

func (a *Admin) dropping() *dropping {
	return &dropping{a: a, calls: make(map[*shardKeys][]*call)}
}

func (d *dropping) call(k *shardKeys, verb string, most int, keys []any) *call {
	c := d.a.dropCall(k, verb, most, keys)
	d.calls[k] = append(d.calls[k], c)
	return c
}

// end removes the entries of dropped keys from the ready lists, so that they do not count as lag or
// take memory. It returns n, and err joined with its own error.
func (d *dropping) end(ctx context.Context, n int, err error) (int, error) {
	for k, calls := range d.calls {
		lined := 0
		for _, c := range calls {
			if len(c.reply) > 2 {
				entries, _ := c.reply[2].(int64)
				lined += int(entries)
			}
		}
		err = errors.Join(err, d.a.prune(ctx, k, lined))
	}
	return n, err
}

// prune removes stale entries from the ready list of a shard, until it has removed enough or has
// read the whole list.
func (a *Admin) prune(ctx context.Context, k *shardKeys, stale int) error {
	for from := 0; stale > 0; {
		seen, removed, err := a.pair(ctx, &call{
			script: pruneScript, keys: []string{k.jobs, k.ready}, args: []any{from},
		})
		if err != nil || seen < prunePage {
			return err
		}
		from, stale = from+seen-removed, stale-removed
	}
	return nil
}
