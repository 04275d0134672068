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

// dropping holds the calls of delete_waiting.lua, by shard. The reply to a call contains how many
// of its deleted keys were in the ready list.
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

// end removes the entries of the deleted keys from the ready lists. Otherwise they would take memory and
// count as lag. It returns n unchanged, and joins its own errors to err.
func (d *dropping) end(ctx context.Context, n int, err error) (int, error) {
	for k, calls := range d.calls {
		listed := 0
		for _, c := range calls {
			if len(c.reply) > 2 {
				entries, _ := c.reply[2].(int64)
				listed += int(entries)
			}
		}
		err = errors.Join(err, d.a.prune(ctx, k, listed))
	}
	return n, err
}

// prune removes entries of deleted keys from the ready list of a shard. It stops when it has
// removed the given number of stale entries, or at the end of the list.
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
