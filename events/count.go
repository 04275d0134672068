package events

import (
	"cmp"
	"context"
	_ "embed"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/count.sql
var countSQL string

// delta is by how much the counts of a task move.
type delta struct {
	by       map[Status]int64
	retrying int64
	bad      int     // arrivals at failed and error, without superseded and revoked rows
	dead     []int64 // seqs of those at error
}

func deltas(changes []change) map[int64]*delta {
	out := map[int64]*delta{}
	for _, c := range changes {
		d := out[c.num]
		if d == nil {
			d = &delta{by: map[Status]int64{}}
			out[c.num] = d
		}
		d.by[c.from]--
		d.by[c.to]++
		if c.fromRetry {
			d.retrying--
		}
		if c.toRetry {
			d.retrying++
		}
		if c.to.Bad() && c.res != Superseded && !c.revoked {
			d.bad++
		}
		if c.to == Error {
			d.dead = append(d.dead, c.seq)
		}
	}
	return out
}

// count moves the counts of all tasks that changes belong to, the youngest
// first, so that two groups do not wait for each other crosswise: a task is
// younger than its parent, which it locks when it ends.
func (s *Store) count(ctx context.Context, tx ledger.Tx, changes []change) error {
	all := deltas(changes)
	nums := slices.Collect(maps.Keys(all))
	slices.SortFunc(nums, func(a, b int64) int { return cmp.Compare(b, a) })
	rested, err := s.moveCounts(ctx, tx, nums, all)
	if err != nil {
		return err
	}
	for _, num := range nums {
		if err := s.noticeBad(ctx, tx, num, all[num]); err != nil {
			return err
		}
	}
	ended, err := s.endAll(ctx, tx, rested)
	if err != nil {
		return err
	}
	return s.close(ctx, tx, ended)
}

// moveCounts returns the tasks whose jobs are all at rest, and that get no more jobs.
func (s *Store) moveCounts(
	ctx context.Context, tx ledger.Tx, nums []int64, all map[int64]*delta,
) (rested []int64, err error) {
	list, now := make([]ledger.Args, len(nums)), s.now().UnixMilli()
	for i, num := range nums {
		d := all[num]
		list[i] = ledger.Args{
			"num": num, "now": now, "retrying": d.retrying,
			"enqueue": d.by[Enqueue], "working": d.by[Working], "finish": d.by[Finish],
			"failed": d.by[Failed], "error": d.by[Error], "canceled": d.by[Canceled],
		}
	}
	err = ledger.RowEach(ctx, tx, countSQL, list, func(i int, scan ledger.Scan) error {
		var left int64
		var final bool
		err := scan(&left, &final)
		if left == 0 && final {
			rested = append(rested, nums[i])
		}
		return err
	})
	return rested, err
}
