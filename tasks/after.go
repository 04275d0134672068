package tasks

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/after.sql
	afterSQL string
	//go:embed sql/add_after.sql
	addAfterSQL string
	//go:embed sql/add_follower.sql
	addFollowerSQL string
	//go:embed sql/set_awaits.sql
	setAwaitsSQL string
	//go:embed sql/lock_after.sql
	lockAfterSQL string
	//go:embed sql/waiting_for.sql
	waitingForSQL string
	//go:embed sql/awaited.sql
	awaitedSQL string
	//go:embed sql/tree.sql
	treeSQL string
	//go:embed sql/cancel_erased.sql
	cancelErasedSQL string
)

// MaxAfter is the maximum number of tasks in Task.After.
const MaxAfter = 20

// These are errors about the tasks in Task.After.
var (
	// ErrAfterUnknown means that a task in After does not exist, or belongs to another tenant.
	ErrAfterUnknown = errors.New("no such task to start after")

	// ErrAfterEnded means that a task in After was deleted, was or is being canceled, or can no
	// longer succeed although AfterWell requires success.
	ErrAfterEnded = errors.New("a task to start after cannot end as required")

	// ErrAfterCycle means that a task in After waits for the new task, or that more than MaxTree
	// tasks wait for the new task.
	ErrAfterCycle = errors.New("a task to start after waits for the new one")
)

// awaited holds numbers of the tasks in the field After of a new task. The field `all` has the numbers of
// all these tasks. The field `open` has the numbers of the tasks that the new task still waits for.
type awaited struct{ all, open []int64 }

// Follow makes `t` wait for the tasks with the ids in t.After. In the same transaction, the caller has
// added the task and its feed, and has called Adopt. Follow locks the tasks in After, so that they
// cannot end meanwhile. It returns ErrAfterUnknown, ErrAfterEnded or ErrAfterCycle.
func (s *Store) Follow(ctx context.Context, tx ledger.Tx, t *Task) error {
	if len(t.After) == 0 {
		return nil
	}
	on, err := s.await(ctx, tx, t)
	if err == nil {
		err = checkCycle(ctx, tx, t, on.all)
	}
	if err != nil {
		return err
	}
	return s.storeAfter(ctx, tx, t, on)
}

// await locks the tasks in t.After and returns their numbers. It returns ErrAfterUnknown or
// ErrAfterEnded if `t` cannot wait for one of them.
func (s *Store) await(ctx context.Context, tx ledger.Tx, t *Task) (on awaited, err error) {
	args := ledger.Args{"ids": t.After, "tenant": t.Tenant}
	err = tx.Query(ctx, afterSQL, args, func(scan ledger.Scan) error {
		var num, purged int64
		var problem bool
		var p Task
		if err := scan(&num, &p.ID, &p.Status, &p.Outcome, &problem, &purged); err != nil {
			return err
		}
		on.all = append(on.all, num)
		switch {
		case purged > 0, p.Status == Canceled, p.Status == Canceling, p.Status.Done() && t.AfterWell && problem:
			return fmt.Errorf("after %q: %w", p.ID, ErrAfterEnded)
		case !p.Status.Done() || t.AfterWell && p.Outcome != "success":
			on.open = append(on.open, num)
		}
		return nil
	})
	if unique := slices.Compact(slices.Sorted(slices.Values(t.After))); err == nil && len(on.all) != len(unique) {
		err = ErrAfterUnknown
	}
	return on, err
}

// checkCycle returns ErrAfterCycle if a task in `nums` is the parent of `t`, or waits for the parent. The
// parent itself waits for `t`. checkCycle also returns ErrAfterCycle if more than MaxTree tasks wait for
// the parent.
func checkCycle(ctx context.Context, tx ledger.Tx, t *Task, nums []int64) error {
	if t.Parent == 0 { // only a child of another task can close a cycle
		return nil
	}
	waiting, more, err := reach(ctx, tx, waitingForSQL, t.Parent)
	if err == nil && (more || slices.ContainsFunc(nums, func(num int64) bool { return slices.Contains(waiting, num) })) {
		err = ErrAfterCycle
	}
	return err
}

// storeAfter stores which tasks `t` waits for, and updates the place of its feed.
func (s *Store) storeAfter(ctx context.Context, tx ledger.Tx, t *Task, on awaited) error {
	t.Awaits = int64(len(on.open))
	ids, err := json.Marshal(t.After)
	if err != nil {
		return err
	}
	well := 0
	if t.AfterWell {
		well = 1
	}
	args := ledger.Args{"num": t.Num, "awaits": t.Awaits, "ids": string(ids), "well": well, "nums": on.all, "open": on.open}
	if on.open == nil {
		args["open"] = []int64{}
	}
	for _, text := range []string{setAwaitsSQL, addAfterSQL, addFollowerSQL} {
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	return feedrow.Place(ctx, tx, s.now(), t.Num)
}

// cancelFollowers cancels the tasks that wait for the task with number `num`, which is being
// deleted.
func (s *Store) cancelFollowers(ctx context.Context, tx ledger.Tx, num int64) error {
	list, err := ledger.List(ctx, tx, cancelErasedSQL, ledger.Args{"num": num},
		func(scan ledger.Scan, num *int64) error { return scan(num) })
	if err != nil || len(list) == 0 {
		return err
	}
	return feedrow.Place(ctx, tx, s.now(), list...)
}

// Awaited returns the tasks that the task with number `num` waits for, oldest first. It sets only
// their Num, ID, Name and Status.
func (s *Store) Awaited(ctx context.Context, num int64) ([]Task, error) {
	out, err := ledger.List(ctx, s.db.Reader(), awaitedSQL, ledger.Args{"num": num}, func(scan ledger.Scan, t *Task) error {
		return scan(&t.Num, &t.ID, &t.Name, &t.Status)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: what task %d waits for: %w", num, err)
	}
	return out, nil
}

// MaxTree is the maximum number of tasks that Tree returns.
const MaxTree = 1000

// Tree returns `t`, its children and the tasks in its After, and recursively the same for each of these
// tasks. It returns up to MaxTree tasks, newest first, and reports whether it has left out others.
func (s *Store) Tree(ctx context.Context, t *Task) (list []Task, more bool, err error) {
	nums, more, err := reach(ctx, s.db.Reader(), treeSQL, t.Num)
	if err == nil {
		err = s.db.Read.WithContext(ctx).Where("num IN ? AND tenant = ?", nums, t.Tenant).Order("num DESC").Find(&list).Error
	}
	if err != nil {
		return nil, false, fmt.Errorf("tasks: tree of task %d: %w", t.Num, err)
	}
	return list, more, nil
}

// reach returns `num` and the numbers of all tasks that can be reached from this task. The argument
// `text` is a statement that returns the neighbors of given tasks. reach returns up to MaxTree numbers,
// and reports whether it has left out others. Each step reads only indexes.
func reach(ctx context.Context, tx ledger.Tx, text string, num int64) (all []int64, more bool, err error) {
	all = []int64{num}
	for step := all; len(step) > 0 && err == nil; {
		args := ledger.Args{"nums": step, "most": MaxTree + 1}
		step, err = ledger.List(ctx, tx, text, args, func(scan ledger.Scan, num *int64) error { return scan(num) })
		step = slices.DeleteFunc(step, func(num int64) bool { return slices.Contains(all, num) })
		if all = append(all, step...); len(all) > MaxTree {
			return all[:MaxTree], true, err
		}
	}
	return all, false, err
}
