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
	//go:embed sql/count.sql
	countSQL string
	//go:embed sql/parented.sql
	parentedSQL string
)

type delta struct {
	task     string // task id in the moves; empty means that it is not compared
	by       map[Status]int64
	retrying int64
	bad      int     // rows that became failed or error, without superseded and revoked rows
	dead     []int64 // seqs of the rows that became error

	counted bool // endWell has changed the counts
}

func deltas(changes []change) map[int64]*delta {
	out := map[int64]*delta{}
	for _, c := range changes {
		d := out[c.num]
		if d == nil {
			d = &delta{by: map[Status]int64{}}
			out[c.num] = d
		}
		d.expect(c.task)
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

// expect records the task id of a move. If the database was restored from a backup, a new task may have the
// number of a lost task. If two moves have different ids for one number, expect records an id that matches
// no task.
func (d *delta) expect(task string) {
	switch {
	case task == "" || task == d.task:
	case d.task == "":
		d.task = task
	default:
		d.task = "two tasks with the same number"
	}
}

// count updates the counts of all tasks with changes, the youngest task first, so that two
// transactions cannot deadlock. A parent is older than its children, and the end of a child locks
// the parent. If one of the tasks has a parent, count therefore counts and ends the tasks one by
// one.
func (s *Store) count(ctx context.Context, tx ledger.Tx, changes []change) error {
	all := deltas(changes)
	nums := slices.Collect(maps.Keys(all))
	slices.SortFunc(nums, func(a, b int64) int { return cmp.Compare(b, a) })
	var well []int64
	n, err := s.atOnce(ctx, tx, nums)
	if err == nil && n > 1 {
		well, err = s.endWell(ctx, tx, nums, all)
	}
	if err != nil {
		return err
	}
	nums = slices.DeleteFunc(nums, func(num int64) bool { return all[num].counted })
	ended, err := s.countParts(ctx, tx, nums, n, all)
	if err != nil {
		return err
	}
	return s.close(ctx, tx, append(well, ended...))
}

// countParts updates the counts of tasks, n tasks at a time. It returns the tasks that end,
// including ancestors. It handles a parent after all younger tasks.
func (s *Store) countParts(
	ctx context.Context, tx ledger.Tx, nums []int64, n int, all map[int64]*delta,
) (ended []int64, err error) {
	var parents []int64 // of tasks that have ended, youngest last
	for len(nums)+len(parents) > 0 {
		var done, above []int64
		if last := len(parents) - 1; len(nums) == 0 || last >= 0 && parents[last] > nums[0] {
			done, above, err = s.completeParent(ctx, tx, parents[last])
			parents = parents[:last]
		} else {
			part := nums[:min(n, len(nums))]
			done, above, err = s.countPart(ctx, tx, part, all)
			nums = nums[len(part):]
		}
		if err != nil {
			return nil, err
		}
		ended, parents = append(ended, done...), append(parents, above...)
		slices.Sort(parents)
	}
	return ended, nil
}

// atOnce returns how many of the tasks may be updated at once: all of them, or one if a task has a
// parent.
func (s *Store) atOnce(ctx context.Context, tx ledger.Tx, nums []int64) (n int, err error) {
	if len(nums) < 2 {
		return 1, nil
	}
	var children int64
	_, err = ledger.Row(ctx, tx, parentedSQL, ledger.Args{"nums": nums}, &children)
	if children > 0 {
		return 1, err
	}
	return len(nums), err
}

func (s *Store) countPart(
	ctx context.Context, tx ledger.Tx, nums []int64, all map[int64]*delta,
) (ended, parents []int64, err error) {
	rested, passed, err := s.moveCounts(ctx, tx, nums, all)
	if err != nil {
		return nil, nil, err
	}
	if len(passed) > 0 {
		if err := s.notice(ctx, tx, topicProgress, "", passed...); err != nil {
			return nil, nil, err
		}
	}
	for _, num := range nums {
		if err := s.noticeBad(ctx, tx, num, all[num]); err != nil {
			return nil, nil, err
		}
	}
	return s.endAll(ctx, tx, rested)
}

// moveCounts adds deltas to the counts of tasks. It returns two lists of tasks whose total is final. In a
// task of `rested`, no row waits or runs. A task of `passed` has completed another tenth of its rows.
// moveCounts returns ErrSetBack if the id of a task differs from the id in the moves.
func (s *Store) moveCounts(
	ctx context.Context, tx ledger.Tx, nums []int64, all map[int64]*delta,
) (rested, passed []int64, err error) {
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
		var left, total int64
		var final bool
		var task string
		err := scan(&left, &total, &final, &task)
		if want := all[nums[i]].task; err == nil && want != "" && want != task {
			err = ErrSetBack
		}
		if left == 0 && final {
			rested = append(rested, nums[i])
		}
		if final && all[nums[i]].passesTenth(total, left) {
			passed = append(passed, nums[i])
		}
		return err
	})
	return rested, passed, err
}

var (
	//go:embed sql/lock_tasks.sql
	lockTasksSQL string
	//go:embed sql/end_well.sql
	endWellSQL string
)

// endWell locks tasks, the youngest first. One statement then updates the counts of the running tasks
// whose rows have all finished or are superseded, and ends these tasks. It leaves out a task with a
// problem or a hold, and a task that another task waits for. endWell returns the ended tasks.
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

// wellColumns returns the arguments of end_well.sql: the deltas of tasks in which rows only finish.
func wellColumns(nums []int64, all map[int64]*delta) ledger.Args {
	var some, enqueue, working, finish, retrying []int64
	var ids []string
	for _, num := range nums {
		d := all[num]
		if d.by[Finish] <= 0 || d.by[Enqueue]+d.by[Working]+d.by[Finish] != 0 {
			continue
		}
		some, ids = append(some, num), append(ids, d.task)
		enqueue, working = append(enqueue, d.by[Enqueue]), append(working, d.by[Working])
		finish, retrying = append(finish, d.by[Finish]), append(retrying, d.retrying)
	}
	return ledger.Args{"nums": some, "task_ids": ids, "enqueue": enqueue, "working": working, "finish": finish, "retrying": retrying}
}
