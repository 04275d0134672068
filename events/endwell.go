package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/lock_tasks.sql
	lockTasksSQL string
	//go:embed sql/end_well.sql
	endWellSQL string
)

// endWell locks tasks, youngest first. It counts and ends those that end by their deltas, none of
// their rows failed, with one statement for all: single jobs, above all. It returns them.
func (s *Store) endWell(ctx context.Context, tx ledger.Tx, nums []int64, all map[int64]*delta) (ended []int64, err error) {
	if err := lock(ctx, tx, lockTasksSQL, nums); err != nil {
		return nil, err
	}
	well := wellColumns(nums, all)
	well["now"] = s.now().UnixMilli()
	some := well["nums"].([]int64)
	if len(some) == 0 {
		return nil, nil
	}
	done, err := ledger.Bulk(ctx, tx, endWellSQL, well)
	for i, is := range done {
		if is {
			all[some[i]].counted = true
			ended = append(ended, some[i])
		}
	}
	return ended, err
}

// wellColumns returns the deltas of tasks of which rows do nothing but finish.
func wellColumns(nums []int64, all map[int64]*delta) ledger.Args {
	var some, enqueue, working, finish, retrying []int64
	for _, num := range nums {
		d := all[num]
		if d.by[Finish] <= 0 || d.by[Enqueue]+d.by[Working]+d.by[Finish] != 0 {
			continue
		}
		some = append(some, num)
		enqueue, working = append(enqueue, d.by[Enqueue]), append(working, d.by[Working])
		finish, retrying = append(finish, d.by[Finish]), append(retrying, d.retrying)
	}
	return ledger.Args{"nums": some, "enqueue": enqueue, "working": working, "finish": finish, "retrying": retrying}
}
