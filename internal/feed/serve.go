package feed

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// serve does the work of a poll for a lane. It reports the next held keys to Redis if a report is due.
// Then it pushes held rows of the wanted keys and of due keys, and last the next rows of the lane. The
// argument `hide` means that Redis may have more wanted keys than one poll reads. Keys without a push
// then move behind the other keys.
func (f *Feeder) serve(ctx context.Context, l lanes.Lane, keys []string, hide bool) (n int64, err error) {
	if !l.Paused {
		if n, err = f.reportHeldKeys(ctx, l); err != nil {
			return n, err
		}
	}
	keys, due, err := f.withDue(ctx, l, keys)
	if err != nil {
		return n, err
	}
	if len(keys) > 0 {
		released, left, err := f.release(ctx, l, keys, due)
		if err == nil && hide {
			err = f.putOff(ctx, l, left)
		}
		if n += released; err != nil {
			return n, err
		}
	}
	pushed, err := f.feed(ctx, l)
	return n + pushed, err
}

// feed pushes the next rows of a lane, and returns a number above 0 if the lane has made progress.
// A push that Redis accepted in part is recorded up to the first refused row, where the next push
// begins.
func (f *Feeder) feed(ctx context.Context, l lanes.Lane) (int64, error) {
	fl := f.windows.lane(l.ID)
	if err := f.updateBacklog(ctx, &fl.back); err != nil {
		return 0, err
	}
	var next choice
	claim, err := f.lanes.ClaimLane(ctx, f.generation.Load().redis, l.ID, claimTTL, func(h lanes.Heads) lanes.Pick {
		next = f.windows.choose(l, h)
		return next.Pick
	})
	if err != nil || claim.None() {
		return 0, f.keepClaim(claim, err)
	}
	push := f.push
	if next.back {
		push = f.pushResubmitted
	}
	n, fault := push(ctx, claim)
	pushed := n.pushed
	err = f.lanes.AdvanceLane(ctx, claim, n.steps, n.shift)
	if err != nil && !errors.Is(err, tasks.ErrClaimLost) { // Redis was emptied, or a task was canceled or is done
		return 0, errors.Join(fault, f.keepClaim(claim, err))
	}
	failpoint.Hit("noted")
	if err := f.report(ctx, l, n.keys); err != nil {
		return pushed, errors.Join(fault, err)
	}
	for i, step := range n.steps {
		if step.Feed != claim.Feeds[i] {
			pushed = max(pushed, 1) // the feed moved over rows that had ended: continue
		}
	}
	return pushed, fault
}

// rangeOf returns the range of the next rows of a task. Rows that must be pushed a second time come
// first.
func (f *Feeder) rangeOf(feed lanes.Feed) events.Range {
	if !feed.NeedsRepush() {
		return events.Range{Num: feed.Num, After: feed.Fed, Last: feed.Total, Back: true}
	}
	return events.Range{Num: feed.Num, After: feed.RepushFrom, Last: feed.RepushTo, Back: true}
}

// fits reports whether all resubmitted rows of a task can be pushed in their positions among the rows that
// are pushed a second time. Redis must have room for all of them, and the tenant must have no limit of slots.
// The function feeding must return true for the task.
func (f *Feeder) fits(feed lanes.Feed) bool {
	fl := f.windows.lane(feed.Lane)
	return feed.Slots == 0 && feed.Resubmitted <= f.windows.maxInRedis(fl)-fl.inRedis && feeding(feed)
}
