package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/unblock_followers.sql
	unblockFollowersSQL string
	//go:embed sql/wake.sql
	wakeSQL string
	//go:embed sql/cancel_after.sql
	cancelAfterSQL string
)

// follow starts each task that waited only for the ended tasks. It cancels tasks that cannot start any
// more. A started task without rows ends at once. follow returns the tasks that have ended this way, and
// their parents.
func (s *Store) follow(ctx context.Context, tx ledger.Tx, ended []int64) (more, parents []int64, err error) {
	for _, num := range ended {
		woken, err := s.wake(ctx, tx, num)
		if err != nil {
			return nil, nil, err
		}
		done, above, err := s.endAll(ctx, tx, woken)
		if err != nil {
			return nil, nil, err
		}
		more, parents = append(more, done...), append(parents, above...)
	}
	return more, parents, nil
}

// wake records the end of a task in its followers: the tasks that start after it. It cancels followers that
// can no longer start. It returns the followers that now wait for one task fewer.
func (s *Store) wake(ctx context.Context, tx ledger.Tx, num int64) (woken []int64, err error) {
	canceled, err := numbers(ctx, tx, cancelAfterSQL, ledger.Args{"num": num})
	if err == nil {
		woken, err = numbers(ctx, tx, unblockFollowersSQL, ledger.Args{"num": num})
	}
	if err == nil && len(woken) > 0 {
		woken, err = numbers(ctx, tx, wakeSQL, ledger.Args{"nums": woken})
	}
	if placed := append(canceled, woken...); err == nil && len(placed) > 0 {
		err = feedrow.Place(ctx, tx, s.now(), placed...)
	}
	return woken, err
}

func numbers(ctx context.Context, tx ledger.Tx, text string, args ledger.Args) ([]int64, error) {
	return ledger.List(ctx, tx, text, args, func(scan ledger.Scan, num *int64) error { return scan(num) })
}
