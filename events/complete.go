package events

import (
	"cmp"
	"context"
	_ "embed"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/complete.sql
	completeSQL string
	//go:embed sql/ascend.sql
	ascendSQL string
	//go:embed sql/close_feed.sql
	closeFeedSQL string
)

// endAll ends tasks that are at rest, and parents that waited only for them. It returns the
// ended tasks for close.
func (s *Store) endAll(ctx context.Context, tx ledger.Tx, nums []int64) (ended []int64, err error) {
	list, now := make([]ledger.Args, len(nums)), s.now().UnixMilli()
	for i, num := range nums {
		list[i] = ledger.Args{"num": num, "now": now}
	}
	var parents []int64
	err = ledger.RowEach(ctx, tx, completeSQL, list, func(i int, scan ledger.Scan) error {
		var parent int64
		err := scan(&parent)
		if ended = append(ended, nums[i]); parent != 0 {
			parents = append(parents, parent)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, parent := range parents {
		some, err := s.ascend(ctx, tx, parent)
		if err != nil {
			return nil, err
		}
		ended = append(ended, some...)
	}
	return ended, nil
}

// complete ends a task if nothing of it is left to do, and then its parent, if
// that has waited only for it, and writes a notice for each.
func (s *Store) complete(ctx context.Context, tx ledger.Tx, num int64) error {
	ended, err := s.climb(ctx, tx, num)
	if err != nil {
		return err
	}
	return s.close(ctx, tx, ended)
}

// climb ends a task and its parents, as far as nothing is left to do, and returns which: they
// are to be closed.
func (s *Store) climb(ctx context.Context, tx ledger.Tx, num int64) (ended []int64, err error) {
	parent, done, err := s.end(ctx, tx, num)
	if err != nil || !done {
		return nil, err
	}
	if parent == 0 {
		return []int64{num}, nil
	}
	above, err := s.ascend(ctx, tx, parent)
	return append([]int64{num}, above...), err
}

// ascend counts an ended child of parent, and ends parent if nothing of it is left.
func (s *Store) ascend(ctx context.Context, tx ledger.Tx, parent int64) (ended []int64, err error) {
	args := ledger.Args{"num": parent, "now": s.now().UnixMilli()}
	if _, err := tx.Exec(ctx, ascendSQL, args); err != nil {
		return nil, err
	}
	return s.climb(ctx, tx, parent)
}

// end ends one task if nothing of it is left to do.
func (s *Store) end(ctx context.Context, tx ledger.Tx, num int64) (parent int64, done bool, err error) {
	args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
	done, err = ledger.Row(ctx, tx, completeSQL, args, &parent)
	return parent, done, err
}

// close deletes feeds and checkpoints of ended tasks, and writes their notices.
func (s *Store) close(ctx context.Context, tx ledger.Tx, ended []int64) error {
	slices.SortFunc(ended, func(a, b int64) int { return cmp.Compare(b, a) })
	var feeds, checkpoints, notices []ledger.Args
	now := s.now().UnixMilli()
	for _, num := range ended {
		feeds = append(feeds, ledger.Args{"num": num})
		checkpoints = append(checkpoints, bounds(num))
		notices = append(notices, ledger.Args{"num": num, "topic": topicFinished, "detail": "", "now": now})
	}
	if _, err := ledger.ExecEach(ctx, tx, closeFeedSQL, feeds); err != nil {
		return err
	}
	if _, err := ledger.ExecEach(ctx, tx, forgetSQL, checkpoints); err != nil {
		return err
	}
	_, err := ledger.ExecEach(ctx, tx, noticeSQL, notices)
	return err
}
