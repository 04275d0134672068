package lanes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// ClaimTask claims the lane of a task for `ttl`, so that no feeder pushes rows of the lane. The
// returned claim has the feed of the task, and no room, because the caller pushes no rows. It is
// empty if another process has claimed the lane, or if the task is done. It is also empty if the
// task had no lane before this call. The result `done` reports whether the task is done. After an
// error the claim may exist until it expires.
func (s *Store) ClaimTask(ctx context.Context, num int64, ttl time.Duration) (g LaneClaim, done bool, err error) {
	f, err := s.FeedOf(ctx, num)
	if err == nil && f != nil && f.Lane == 0 {
		_, err = s.place(ctx, []int64{num})
	}
	if err != nil || f == nil {
		return LaneClaim{}, f == nil, err
	}
	claim := tasks.Claim(ledger.NewClaim())
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		g = LaneClaim{Claim: claim, Lane: f.Lane}
		if err := s.lockLane(ctx, tx, &g, ttl); err != nil {
			return err
		}
		g.Feeds, err = s.feeds(ctx, tx, feedOf, ledger.Args{"num": num})
		if done = err == nil && len(g.Feeds) == 0; err != nil || done {
			return errors.Join(err, errNothing)
		}
		_, err = tx.Exec(ctx, noteLaneSQL, ledger.Args{"lane": g.Lane, "nums": "", "room": int64(0), "reach": int64(0)})
		return err
	})
	if errors.Is(err, errNothing) {
		return LaneClaim{}, done, nil
	}
	if err != nil {
		return g, false, fmt.Errorf("lanes: claim task %d: %w", num, err)
	}
	return g, false, nil
}

// Withdraw runs f in the transaction that releases a claim, and stores the Step and the Shift that
// f returns. The function f ends rows of the claimed task, so that they are no longer fed. If f has
// ended the task, the feed of the task is gone, and the step has no effect. If the claim was lost,
// Withdraw returns tasks.ErrClaimLost and changes nothing. Withdraw runs f before it locks the
// lane, because f locks rows and the task, and every transaction locks these before the lane.
func (s *Store) Withdraw(ctx context.Context, g LaneClaim, f func(ledger.Tx) (Step, Shift, error)) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		step, shift, err := f(tx)
		if err != nil {
			return err
		}
		n, err := tx.Exec(ctx, returnLaneSQL, ledger.Args{"lane": g.Lane, "claim": int64(g.Claim), "pushed": int64(0)})
		if err == nil && n == 0 {
			err = tasks.ErrClaimLost
		}
		if err != nil {
			return err
		}
		if _, err := advance(ctx, tx, g, []Step{step}); err != nil {
			return err
		}
		return s.writeShift(ctx, tx, g.Lane, shift)
	})
	if err != nil {
		return fmt.Errorf("lanes: withdraw rows: %w", err)
	}
	return nil
}
