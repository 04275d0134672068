package review

import (
	"context"
	"slices"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// keyOwners holds, for a task whose keys must be unique, the row that has each key.
type keyOwners struct {
	num    int64
	lane   events.Lane
	column string // the key's column in faults
	from   Ledger
	dry    bool // a dry run: the ledger does not change between two lists

	left  map[events.ID]bool // rows that lose the key that they have in the ledger
	owner map[string]decisions.Holder
}

func newKeyOwners(t *tasks.Task, column string, from Ledger, dry bool) *keyOwners {
	return &keyOwners{
		num: t.Num, lane: laneOf(t), column: column, from: from, dry: dry,
		left: map[events.ID]bool{}, owner: map[string]decisions.Holder{},
	}
}

// assign gives each key that must be unique to the first row of the list that needs it. If another row
// of the task has the key, no row of the list gets it. Each row that does not get its key gets a fault.
func (k *keyOwners) assign(ctx context.Context, list []ValidatedRow) error {
	if k == nil {
		return nil
	}
	if !k.dry {
		clear(k.left)
		clear(k.owner)
	}
	held, err := k.lookUp(ctx, list)
	if err != nil {
		return err
	}
	for i := range list {
		r := &list[i]
		if !r.alone || r.Refused != nil {
			continue
		}
		if other, ok := k.other(held[r.Key], r); ok {
			r.alone, r.twin = false, []events.Field{k.fault(r.Key, other.Row)}
			continue
		}
		k.owner[r.Key] = decisions.Holder{ID: r.Event.ID, Row: r.Event.Row, Key: r.Key}
	}
	return nil
}

// lookUp finds the rows of the ledger that have the keys of the list, and returns them by key. It leaves
// out keys that need not be unique. It also records the rows of the list that lose the key that they
// have now.
func (k *keyOwners) lookUp(ctx context.Context, list []ValidatedRow) (map[string][]decisions.Holder, error) {
	var keys []string
	for i := range list {
		r := &list[i]
		if r.Key != r.Event.Key || r.prior != nil && !r.prior.HoldsKey() {
			k.left[r.Event.ID] = true
		}
		if r.alone {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	slices.Sort(keys)
	rows, err := k.from.Holders(ctx, k.num, k.lane, decisions.OneRow, slices.Compact(keys))
	held := map[string][]decisions.Holder{}
	for _, h := range rows {
		held[h.Key] = append(held[h.Key], h)
	}
	return held, err
}

// other returns another row that has the key of a row, and reports whether there is one.
func (k *keyOwners) other(held []decisions.Holder, r *ValidatedRow) (decisions.Holder, bool) {
	for _, h := range held {
		if h.ID != r.Event.ID && !k.left[h.ID] {
			return h, true
		}
	}
	h, ok := k.owner[r.Key]
	return h, ok && h.ID != r.Event.ID
}

func (k *keyOwners) fault(key string, row int) events.Field {
	return rowschema.Say(
		events.Field{Column: k.column, Value: key, Code: events.CodeDuplicateKey}, "row.duplicate", "n", strconv.Itoa(row),
	)
}
