package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/complete.sql
	completeSQL string
	//go:embed sql/child_done.sql
	childDoneSQL string
	//go:embed sql/close_feed.sql
	closeFeedSQL string
	//go:embed sql/checkpointed.sql
	checkpointedSQL string
)

// endAll ends the tasks in `nums` that have no work left. It also starts the tasks that waited only for
// these, and cancels tasks that can then no longer start. It returns the ended tasks and their parents.
// The caller must pass the ended tasks to the method `close`.
func (s *Store) endAll(ctx context.Context, tx ledger.Tx, nums []int64) (ended, parents []int64, err error) {
	list, now := make([]ledger.Args, len(nums)), s.now().UnixMilli()
	for i, num := range nums {
		list[i] = ledger.Args{"num": num, "now": now}
	}
	var followed []int64
	err = ledger.RowEach(ctx, tx, completeSQL, list, func(i int, scan ledger.Scan) error {
		var parent, followers int64
		err := scan(&parent, &followers)
		if ended = append(ended, nums[i]); parent != 0 {
			parents = append(parents, parent)
		}
		if followers > 0 {
			followed = append(followed, nums[i])
		}
		return err
	})
	if err != nil || len(followed) == 0 {
		return ended, parents, err
	}
	more, above, err := s.follow(ctx, tx, followed)
	return append(ended, more...), append(parents, above...), err
}

// completeParent records in a parent that a child has ended, and ends the parent if it has no work
// left. It returns the ended tasks and their parents.
func (s *Store) completeParent(ctx context.Context, tx ledger.Tx, parent int64) (ended, above []int64, err error) {
	args := ledger.Args{"num": parent, "now": s.now().UnixMilli()}
	if _, err := tx.Exec(ctx, childDoneSQL, args); err != nil {
		return nil, nil, err
	}
	return s.endAll(ctx, tx, []int64{parent})
}

// Complete ends a task if it has no work left. It then also ends each ancestor without work, and
// starts or cancels tasks that waited for ended tasks. It writes notices about the ended tasks.
func (s *Store) Complete(ctx context.Context, tx ledger.Tx, num int64) error {
	ended, err := s.completeAncestors(ctx, tx, num)
	if err != nil {
		return err
	}
	return s.close(ctx, tx, ended)
}

// completeAncestors is like Complete, but does not call the method `close`. It returns the ended tasks,
// with which the caller must call `close`.
func (s *Store) completeAncestors(ctx context.Context, tx ledger.Tx, num int64) (ended []int64, err error) {
	ended, parents, err := s.endAll(ctx, tx, []int64{num})
	for len(parents) > 0 && err == nil {
		var done, above []int64
		done, above, err = s.completeParent(ctx, tx, parents[0])
		ended, parents = append(ended, done...), append(parents[1:], above...)
	}
	return ended, err
}

// close deletes the feeds (the records of the feeder) and checkpoints of ended tasks, and writes notices
// about these tasks.
func (s *Store) close(ctx context.Context, tx ledger.Tx, ended []int64) error {
	if len(ended) == 0 {
		return nil
	}
	args := ledger.Args{"nums": ended}
	if err := feedrow.Lock(ctx, tx, ended); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, closeFeedSQL, args); err != nil {
		return err
	}
	if err := forgetAll(ctx, tx, ended); err != nil {
		return err
	}
	return s.notice(ctx, tx, topicFinished, "", ended...)
}

func forgetAll(ctx context.Context, tx ledger.Tx, ended []int64) error {
	list, err := ledger.List(ctx, tx, checkpointedSQL, ledger.Args{"nums": ended},
		func(scan ledger.Scan, args *ledger.Args) error {
			var num int64
			err := scan(&num)
			*args = Bounds(num)
			return err
		})
	if err != nil {
		return err
	}
	_, err = ledger.ExecEach(ctx, tx, forgetSQL, list)
	return err
}

// lock runs a statement that locks tasks in a fixed order. For fewer than two tasks it does nothing, since
// the order then does not matter.
func lock(ctx context.Context, tx ledger.Tx, text string, nums []int64) error {
	if len(nums) < 2 {
		return nil
	}
	return tx.Query(ctx, text, ledger.Args{"nums": nums}, func(ledger.Scan) error { return nil })
}

// Bounds returns the SQL arguments `num`, `low` and `high`. `num` is the number of a task; `low` and `high`
// are the bounds of the ids of its events, both excluded. A task has far fewer than 2³²-1 rows, so no event
// has the id `high`.
func Bounds(num int64) ledger.Args {
	low := int64(NewID(num, 0))
	return ledger.Args{"num": num, "low": low, "high": low + 1<<32 - 1}
}
