package feed

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// leave gives claims back whose notes ctx has broken off, so that another feeder goes on at once.
func (f *Feeder) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	if err := f.releaseClaims(ctx); err != nil {
		f.opt.Log.Warn("feeding: claims are not given back, and run out", "err", err)
	}
}

// keepClaim remembers a claim that could not be given back because of err, so that
// no feeder has to wait until it runs out.
func (f *Feeder) keepClaim(grant lanes.Grant, err error) error {
	if errors.Is(err, lanes.ErrSetBack) { // the ledger granted no rows and may lack rows that were fed
		f.Invalidate()
		return err
	}
	if err != nil && !grant.None() {
		f.unreleased = append(f.unreleased, grant)
	}
	return err
}

// releaseClaims gives back what is owed. Whether the push was noted is found out by
// the way: then the claim is gone.
func (f *Feeder) releaseClaims(ctx context.Context) error {
	for len(f.unreleased) > 0 {
		if err := f.releaseClaim(ctx, f.unreleased[0]); err != nil {
			return err
		}
		f.unreleased = f.unreleased[1:]
	}
	return nil
}

// releaseClaim notes that a push may have reached Redis or not, all of it.
func (f *Feeder) releaseClaim(ctx context.Context, grant lanes.Grant) error {
	steps := make([]lanes.Step, len(grant.Feeds))
	for i, feed := range grant.Feeds {
		steps[i] = lanes.Step{Feed: feed, Doubted: max(feed.Doubted, grant.Reach)}
	}
	err := f.lanes.AdvanceLane(ctx, grant, steps, lanes.Shift{Doubted: grant.Held})
	if errors.Is(err, tasks.ErrClaimLost) {
		return nil // a task was canceled meanwhile: its rows ask the ledger
	}
	return err
}
