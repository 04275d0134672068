package events

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// resolved is by how much the numbers of skipped and superseded rows of tasks move.
type resolved map[int64]struct{ skipped, superseded int64 }

// move counts one row of a task that goes from one resolution to another.
func (r resolved) move(num int64, from, to Resolution) {
	n := r[num]
	n.skipped += to.counts(Skipped) - from.counts(Skipped)
	n.superseded += to.counts(Superseded) - from.counts(Superseded)
	r[num] = n
}

// count writes the numbers, of the youngest task first: see Store.count.
func (r resolved) count(ctx context.Context, tx ledger.Tx) error {
	for _, num := range slices.Backward(slices.Sorted(maps.Keys(r))) {
		n := r[num]
		if n.skipped == 0 && n.superseded == 0 {
			continue
		}
		_, err := tx.Exec(ctx, countResolvedSQL, ledger.Args{
			"num": num, "skipped": n.skipped, "superseded": n.superseded,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
