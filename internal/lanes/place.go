package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/stray_feeds.sql
	strayFeedsSQL string
	//go:embed sql/add_lane.sql
	addLaneSQL string
	//go:embed sql/hold_tasks.sql
	holdTasksSQL string
	//go:embed sql/slice_feeds.sql
	sliceFeedsSQL string
)

// placePage bounds each of the three lists of feeds that stray_feeds.sql joins.
const placePage = 1000

// placeStrays places feeds that have no lane yet, and feeds of tasks whose run-at has passed. It
// skips tasks that another transaction has locked: a later call places them.
func (s *Store) placeStrays(ctx context.Context) error {
	for {
		nums, err := s.strays(ctx)
		placed := 0
		if err == nil && len(nums) > 0 {
			placed, err = s.place(ctx, nums)
		}
		if err != nil {
			return fmt.Errorf("lanes: place feeds: %w", err)
		}
		if len(nums) < placePage || placed == 0 {
			return nil
		}
	}
}

func (s *Store) strays(ctx context.Context) (nums []int64, err error) {
	args := ledger.Args{"now": s.now().UnixMilli(), "most": placePage}
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		nums, err = ledger.List(ctx, tx, strayFeedsSQL, args, func(scan ledger.Scan, num *int64) error {
			return scan(num)
		})
		return err
	})
	return nums, err
}

// Replace places feeds again: it checks up to `limit` feeds of tasks with numbers above the argument
// `after`, and corrects wrong or missing places. It returns the number from which the next call continues,
// or 0 after the last feed. Only a process of an older version leaves a feed in a wrong place.
func (s *Store) Replace(ctx context.Context, after int64, limit int) (next int64, err error) {
	var wrong []int64
	n, args := 0, ledger.Args{"after": after, "most": limit}
	err = s.db.Probe(ctx, func(tx ledger.Tx) error {
		n, wrong = 0, nil
		return tx.Query(ctx, sliceFeedsSQL, args, func(scan ledger.Scan) error {
			var is bool
			err := scan(&next, &is)
			if n++; is {
				wrong = append(wrong, next)
			}
			return err
		})
	})
	if n < limit {
		next = 0
	}
	slices.Reverse(wrong)
	if err == nil && len(wrong) > 0 {
		_, err = s.place(ctx, wrong)
	}
	if err != nil {
		return after, fmt.Errorf("lanes: replace feeds: %w", err)
	}
	return next, nil
}

// place assigns the feeds of tasks to their lanes, and sets their order there. It returns the number of
// these tasks. It locks the tasks first, so that no task is canceled meanwhile. It skips tasks that another
// transaction has locked, instead of waiting.
func (s *Store) place(ctx context.Context, nums []int64) (placed int, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		held, err := ledger.List(ctx, tx, holdTasksSQL, ledger.Args{"nums": nums},
			func(scan ledger.Scan, num *int64) error { return scan(num) })
		if placed = len(held); err != nil || placed == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, addLaneSQL, ledger.Args{"nums": held, "now": s.now().UnixMilli()}); err != nil {
			return err
		}
		return feedrow.Place(ctx, tx, s.now(), held...)
	})
	return placed, err
}
