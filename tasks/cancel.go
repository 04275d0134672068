package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/hold_lane.sql
	holdLaneSQL string
	//go:embed sql/cancel_feed.sql
	cancelFeedSQL string
	//go:embed sql/cancel_held_keys.sql
	cancelHeldKeysSQL string
	//go:embed sql/cancel_held_due.sql
	cancelHeldDueSQL string
	//go:embed sql/cancel_split.sql
	cancelSplitSQL string
	//go:embed sql/cancel_mark.sql
	cancelMarkSQL string
	//go:embed sql/limits_changed.sql
	limitsChangedSQL string
	//go:embed sql/cancels.sql
	cancelsSQL string
	//go:embed sql/claim_cancel.sql
	claimCancelSQL string
)

// Cancel is a task that is being canceled.
type Cancel struct {
	Num     int64
	TaskID  string
	Tenant  string
	Kind    string
	Total   int64
	Enqueue int64
	Working int64

	// From is a seq. Rows with a higher seq were never pushed. A negative value means that the service
	// canceled the task. The caller must then call StopFeed.
	From int64
}

// Cancels returns the tasks that are being canceled, oldest first.
func (s *Store) Cancels(ctx context.Context) ([]Cancel, error) {
	var out []Cancel
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, cancelsSQL, nil, func(scan ledger.Scan, c *Cancel) error {
			return scan(&c.Num, &c.TaskID, &c.Tenant, &c.Kind, &c.Total, &c.Enqueue, &c.Working, &c.From)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: cancels: %w", err)
	}
	return out, nil
}

// StopFeed stops the reading and feeding of a task that the service canceled. When a user cancels a
// task, Store.Cancel does the same. StopFeed may be repeated.
func (s *Store) StopFeed(ctx context.Context, num int64) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error { return s.stop(ctx, tx, num) })
	if err != nil {
		return fmt.Errorf("tasks: stop feed %d: %w", num, err)
	}
	return nil
}

// stop ends the claims of the splitter and the feeder on a task, and removes its held rows. The first
// call for a task also calls raiseMark.
func (s *Store) stop(ctx context.Context, tx ledger.Tx, num int64) error {
	args := ledger.Args{"num": num}
	if _, err := tx.Exec(ctx, cancelSplitSQL, args); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, holdLaneSQL, args); err != nil {
		return err
	}
	n, err := tx.Exec(ctx, cancelFeedSQL, args)
	if err == nil {
		err = feedrow.Place(ctx, tx, s.now(), num)
	}
	if err == nil && n > 0 {
		err = s.dropHeld(ctx, tx, num)
	}
	if err != nil || n == 0 {
		return err
	}
	return raiseMark(ctx, tx, num)
}

// raiseMark raises the cancel epoch of a task's tenant, and notifies all processes. Each job in Redis
// carries the epoch of its push. Before workers run a job with an older epoch, they read its state from
// the ledger.
func raiseMark(ctx context.Context, tx ledger.Tx, num int64) error {
	if _, err := tx.Exec(ctx, cancelMarkSQL, ledger.Args{"num": num}); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, limitsChangedSQL, nil)
	return err
}

// CheckPushed makes workers check the jobs of a task's tenant that are already in Redis. Before a worker
// runs such a job, it reads the state of the job from the ledger. The workers of all processes do so
// after reconcile.CancelerOptions.Grace at the latest.
func (s *Store) CheckPushed(ctx context.Context, num int64) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error { return raiseMark(ctx, tx, num) })
	if err != nil {
		return fmt.Errorf("tasks: check pushed jobs of task %d: %w", num, err)
	}
	return nil
}

// heldOf returns the range of the ids of a task's rows, as arguments of statements on held rows.
func heldOf(num int64) ledger.Args { return ledger.Args{"low": num << 32, "high": (num+1)<<32 - 1} }

// dropHeld removes the held rows of a task from its lane, which the caller has locked.
func (s *Store) dropHeld(ctx context.Context, tx ledger.Tx, num int64) error {
	for _, text := range []string{cancelHeldKeysSQL, cancelHeldDueSQL} {
		if _, err := tx.Exec(ctx, text, heldOf(num)); err != nil {
			return err
		}
	}
	return feedrow.DropHeld(ctx, tx, num)
}

// ClaimCancel claims the canceling of a task's rows for `ttl`, and returns false if another process has
// the claim. The claim only avoids duplicate work: it does no harm if two processes cancel the same
// rows. A `ttl` of 0 releases the claim. The release continues for up to a second after ctx ends.
func (s *Store) ClaimCancel(ctx context.Context, num int64, ttl time.Duration) (bool, error) {
	now := s.now()
	args := ledger.Args{"num": num, "until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli()}
	if ttl == 0 {
		args["until"], args["now"] = 0, int64(1)<<62
		left, cancel := ledger.ReleaseContext(ctx)
		defer cancel()
		ctx = left
	}
	n, err := s.db.Writer().Exec(ctx, claimCancelSQL, args)
	if err != nil {
		return false, fmt.Errorf("tasks: claim cancel %d: %w", num, err)
	}
	return n == 1, nil
}
