package decisions

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// uncontested removes the decisions that set Alone if another row holds their key. A row that loses its key
// in the same call does not count as a holder. The task is locked, so no other call can assign the key
// meanwhile.
func uncontested(ctx context.Context, tx ledger.Tx, num int64, lane events.Lane, list []decided) ([]decided, error) {
	var keys []string
	for i := range list {
		if list[i].Alone {
			keys = append(keys, list[i].new.Key)
		}
	}
	if len(keys) == 0 {
		return list, nil
	}
	slices.Sort(keys)
	held, err := holders(ctx, tx, num, lane, OneRow, slices.Compact(keys))
	if err != nil {
		return nil, err
	}
	for { // if a decision is left out, its row keeps its earlier key
		before := len(list)
		if list = freeOf(held, list); len(list) == before {
			return list, nil
		}
	}
}

// freeOf removes decisions that set Alone and whose key another row owns. A row in `held` owns its key,
// unless a decision takes the key from the row. Of several decisions that set Alone for one key, the first
// in `list` owns the key.
func freeOf(held []Holder, list []decided) []decided {
	moved := map[events.ID]bool{}
	for i := range list {
		moved[list[i].ID] = list[i].new.Key != list[i].old.Key || !OneRow.counts(&list[i].new)
	}
	owners := map[string][]events.ID{}
	for _, h := range held {
		if !moved[h.ID] {
			owners[h.Key] = append(owners[h.Key], h.ID)
		}
	}
	return slices.DeleteFunc(list, func(d decided) bool {
		if !d.Alone {
			return false
		}
		another := func(id events.ID) bool { return id != d.ID }
		late := slices.ContainsFunc(owners[d.new.Key], another)
		if !late {
			owners[d.new.Key] = append(owners[d.new.Key], d.ID)
		}
		return late
	})
}
