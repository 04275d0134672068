package feed

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// leave releases the remaining claims after the end of `ctx`, so that another feeder can continue at
// once. It only logs an error.
func (f *Feeder) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	if err := f.releaseClaims(ctx); err != nil {
		f.opt.Log.Warn("feeding: claims are not released, and expire later", "err", err)
	}
}

// keepClaim stores a claim if `err` is not nil, because the claim may still exist. A later poll releases
// it, so that no feeder has to wait until the claim expires. After ErrSetBack no claim exists: keepClaim
// stores none, and calls Invalidate. It returns `err`.
func (f *Feeder) keepClaim(claim lanes.LaneClaim, err error) error {
	if errors.Is(err, lanes.ErrSetBack) { // the ledger was restored, and may lack pushes
		f.Invalidate()
		return err
	}
	if err != nil && !claim.None() {
		f.unreleased = append(f.unreleased, claim)
	}
	return err
}

// releaseClaims releases the stored claims. A claim that no longer exists counts as released.
func (f *Feeder) releaseClaims(ctx context.Context) error {
	for len(f.unreleased) > 0 {
		if err := f.releaseClaim(ctx, f.unreleased[0]); err != nil {
			return err
		}
		f.unreleased = f.unreleased[1:]
	}
	return nil
}

// releaseClaim releases a claim, and records that all rows of the claim may have been pushed.
func (f *Feeder) releaseClaim(ctx context.Context, claim lanes.LaneClaim) error {
	steps := make([]lanes.Step, len(claim.Feeds))
	for i, feed := range claim.Feeds {
		steps[i] = lanes.Step{Feed: feed, Doubted: max(feed.Doubted, claim.Reach)}
	}
	err := f.lanes.AdvanceLane(ctx, claim, steps, lanes.Shift{Doubted: claim.Held})
	if errors.Is(err, tasks.ErrClaimLost) {
		return nil // the claim has ended, or a task was canceled meanwhile
	}
	return err
}
