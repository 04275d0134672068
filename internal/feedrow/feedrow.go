// Package feedrow holds the SQL statements about feeds that several packages run in their own transactions:
// tasks, events, lanes and recount.
//
// A feed is the record of which rows of a task were pushed. Place must run after each change that
// affects the place of a feed. Lock makes all transactions lock several feeds in the same order.
package feedrow

import (
	"context"
	_ "embed"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/place_feed.sql
	placeFeedSQL string
	//go:embed sql/lock_feeds.sql
	lockFeedsSQL string
	//go:embed sql/drop_held.sql
	dropHeldSQL string
)

// Place sets the places of feeds within their lanes. Call it after a change of the status, hold, priority,
// start time or awaited tasks of a task, and after its total has become final. The caller has locked the
// tasks.
func Place(ctx context.Context, tx ledger.Tx, now time.Time, nums ...int64) error {
	_, err := tx.Exec(ctx, placeFeedSQL, ledger.Args{"nums": nums, "now": now.UnixMilli()})
	return err
}

// Lock locks the feeds of several tasks, the youngest task first, so that transactions cannot
// deadlock. The commit of outcomes uses the same order. A single feed needs no order, so Lock
// does not lock it.
func Lock(ctx context.Context, tx ledger.Tx, nums []int64) error {
	if len(nums) < 2 {
		return nil
	}
	return tx.Query(ctx, lockFeedsSQL, ledger.Args{"nums": nums}, func(ledger.Scan) error { return nil })
}

// DropHeld removes the groups of held rows of the task with the number `num`. A feeder later removes the
// records of keys that have no groups left.
func DropHeld(ctx context.Context, tx ledger.Tx, num int64) error {
	_, err := tx.Exec(ctx, dropHeldSQL, ledger.Args{"low": num << 32, "high": (num+1)<<32 - 1})
	return err
}
