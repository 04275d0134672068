package events

import (
	"cmp"
	"context"
	_ "embed"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/group.sql
	groupSQL string
	//go:embed sql/ungroup.sql
	ungroupSQL string
	//go:embed sql/empty_groups.sql
	emptyGroupsSQL string
	//go:embed sql/leaving.sql
	leavingSQL string
)

// cause identifies an error group.
type cause struct {
	num       int64
	status    Status
	code, col string
	print     string // fingerprint of a system fault; empty means a business failure
}

func (a cause) compare(b cause) int {
	return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(a.status, b.status),
		cmp.Compare(a.code, b.code), cmp.Compare(a.col, b.col), cmp.Compare(a.print, b.print))
}

// groupDelta is a change of one error group. It has the numbers of all rows, of fixed rows, and of
// skipped or accepted rows. It also has the first row, and the text of one fault.
type groupDelta struct {
	count, fixed, skipped int64
	first                 int
	fault                 string
}

type groupDeltas map[cause]groupDelta

// add counts a row with cause `k` and resolution `r`.
func (b groupDeltas) add(k cause, row int, r Resolution) {
	n := b[k]
	if n.count++; n.count == 1 || row < n.first {
		n.first = row
	}
	n.fixed, n.skipped = n.fixed+r.counts(Fixed), n.skipped+r.counts(Skipped)
	b[k] = n
}

// explain sets the fault text of cause `k`, unless it has one.
func (b groupDeltas) explain(k cause, fault string) {
	n := b[k]
	n.fault = cmp.Or(n.fault, fault)
	b[k] = n
}

// run runs a bulk statement for all error groups of `b`. The transaction must have locked the
// tasks of these groups, so that two transactions cannot deadlock.
func (b groupDeltas) run(ctx context.Context, tx ledger.Tx, text string) error {
	if len(b) == 0 {
		return nil
	}
	_, err := ledger.Bulk(ctx, tx, text, b.columns())
	return err
}

// columns returns the causes and their deltas as the arguments of a bulk statement.
func (b groupDeltas) columns() ledger.Args {
	keys := slices.SortedFunc(maps.Keys(b), cause.compare)
	number := func(of func(groupDelta) int64) []int64 {
		return ledger.Column(keys, func(k *cause) int64 { return of(b[*k]) })
	}
	return ledger.Args{
		"nums":    ledger.Column(keys, func(k *cause) int64 { return k.num }),
		"status":  ledger.Column(keys, func(k *cause) string { return string(k.status) }),
		"code":    ledger.Column(keys, func(k *cause) string { return k.code }),
		"col":     ledger.Column(keys, func(k *cause) string { return k.col }),
		"print":   ledger.Column(keys, func(k *cause) string { return k.print }),
		"fault":   ledger.Column(keys, func(k *cause) string { return b[*k].fault }),
		"counts":  number(func(n groupDelta) int64 { return n.count }),
		"fixed":   number(func(n groupDelta) int64 { return n.fixed }),
		"skipped": number(func(n groupDelta) int64 { return n.skipped }),
		"firsts":  ledger.Column(keys, func(k *cause) int32 { return int32(b[*k].first) }),
	}
}

// groups updates the error groups of tasks after changes. It subtracts rows that are no longer bad,
// then adds rows that became bad.
func (s *Store) groups(ctx context.Context, tx ledger.Tx, changes []change) error {
	removed, added := groupDeltas{}, groupDeltas{}
	for _, c := range changes {
		if c.left != nil && c.left.resolution.grouped() {
			removed.add(c.left.cause, c.left.row, c.left.resolution)
		}
		if c.to.Bad() && c.res.grouped() {
			added.add(c.cause(), c.row, Open)
			added.explain(c.cause(), c.why)
		}
	}
	return regroup(ctx, tx, removed, added)
}

// regroup subtracts the deltas in `removed` from their error groups, deletes groups that are then
// empty, and adds the deltas in `added`.
func regroup(ctx context.Context, tx ledger.Tx, removed, added groupDeltas) error {
	if err := removed.run(ctx, tx, ungroupSQL); err != nil {
		return err
	}
	if err := removed.drop(ctx, tx); err != nil {
		return err
	}
	return added.run(ctx, tx, groupSQL)
}

func (b groupDeltas) drop(ctx context.Context, tx ledger.Tx) error {
	var nums []int64
	for k := range b {
		nums = append(nums, k.num)
	}
	slices.Sort(nums)
	return DropEmptyGroups(ctx, tx, slices.Compact(nums)...)
}

// DropEmptyGroups deletes the empty error groups of the given tasks.
func DropEmptyGroups(ctx context.Context, tx ledger.Tx, nums ...int64) error {
	if len(nums) == 0 {
		return nil
	}
	return tx.Query(ctx, emptyGroupsSQL, ledger.Args{"nums": nums}, func(ledger.Scan) error { return nil })
}

type departed struct {
	cause
	row        int
	resolution Resolution
}

// leaving returns the stored error group, row and resolution of each bad row that a move may take out
// of its error group. It locks the events of all moves from Failed or Error, even if an event has
// another status now.
func leaving(ctx context.Context, tx ledger.Tx, moves []Move) (map[ID]departed, error) {
	var ids []int64
	for _, m := range moves {
		if m.From.Bad() {
			ids = append(ids, int64(m.ID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out := make(map[ID]departed, len(ids))
	err := tx.Query(ctx, leavingSQL, ledger.Args{"ids": ids}, func(scan ledger.Scan) error {
		var id ID
		var l departed
		err := scan(&id, &l.status, &l.code, &l.col, &l.print, &l.row, &l.resolution)
		if l.num = id.Num(); l.status.Bad() {
			out[id] = l
		}
		return err
	})
	return out, err
}
