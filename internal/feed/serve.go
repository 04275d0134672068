package feed

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// serve pushes held rows of keys of a lane that have room in Redis, and then the next rows of the
// lane. hide reports whether keys that are not pushed hide keys of other lanes.
func (f *Feeder) serve(ctx context.Context, l lanes.Lane, keys []string, hide bool) (n int64, err error) {
	if !l.TenantPaused {
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

// feed pushes the next rows of a lane, and returns more than 0 if the lane has made progress. A push
// that Redis accepted in part is recorded up to the first refused row, where the next push begins.
func (f *Feeder) feed(ctx context.Context, l lanes.Lane) (int64, error) {
	fl := f.windows.lane(l.ID)
	if err := f.updateBacklog(ctx, &fl.back); err != nil {
		return 0, err
	}
	var next choice
	grant, err := f.lanes.ClaimLane(ctx, f.generation.Load().redis, l.ID, claimTTL, func(h lanes.Heads) lanes.Pick {
		next = f.windows.choose(l, h)
		return next.Pick
	})
	if err != nil || grant.None() {
		return 0, f.keepClaim(grant, err)
	}
	push := f.push
	if next.back {
		push = f.pushResubmitted
	}
	n, fault := push(ctx, grant)
	pushed := n.pushed
	err = f.lanes.AdvanceLane(ctx, grant, n.steps, n.shift)
	if err != nil && !errors.Is(err, tasks.ErrClaimLost) { // a Redis wiped, a task canceled or done
		return 0, errors.Join(fault, f.keepClaim(grant, err))
	}
	failpoint.Hit("noted")
	if err := f.report(ctx, l, n.keys); err != nil {
		return pushed, errors.Join(fault, err)
	}
	for i, one := range n.steps {
		if one.Feed != grant.Feeds[i] {
			pushed = max(pushed, 1) // rows that have ended are skipped: continue
		}
	}
	return pushed, fault
}

// rangeOf returns the range of the next rows of a task. Rows of a second feeding come first.
func (f *Feeder) rangeOf(feed lanes.Feed) events.Range {
	if !feed.Again() {
		return events.Range{Num: feed.Num, After: feed.Fed, Last: feed.Total, Back: true}
	}
	return events.Range{Num: feed.Num, After: feed.AgainFrom, Last: feed.AgainTo, Back: true}
}

// fits reports whether there is room for all resubmitted rows of a task. They then keep their place
// among the rows of a second feeding.
func (f *Feeder) fits(feed lanes.Feed) bool {
	fl := f.windows.lane(feed.Lane)
	return feed.Slots == 0 && feed.Back <= f.windows.most(fl)-fl.inRedis && feeding(feed)
}
