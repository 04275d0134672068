package feed

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// expiryStep is the longest pause between two searches for stale slots. With a short
// Options.StaleAfter the pause is a twelfth of it.
const expiryStep = time.Minute

// rangeRows is how many rows one statement reads.
const rangeRows = 5_000

// expireSlots counts the jobs that hold their slots for too long. Few tasks are old enough, and one
// process counts each of them at intervals.
func (f *Feeder) expireSlots(ctx context.Context) error {
	now := f.opt.Now()
	if now.Before(f.nextExpiry) {
		return nil
	}
	f.nextExpiry = now.Add(min(expiryStep, f.opt.StaleAfter/12))
	aged, err := f.lanes.StuckTasks(ctx, f.opt.StaleAfter)
	if err != nil {
		return err
	}
	for _, a := range aged {
		stale := int64(0)
		for low := int64(0); low < a.Fed; low += rangeRows {
			n, err := f.events.Holding(ctx, events.Range{
				Num: a.Num, After: low, Last: min(low+rangeRows, a.Fed),
			})
			if err != nil {
				return err
			}
			stale += n
		}
		if err := f.lanes.SetStuck(ctx, a.Num, stale); err != nil {
			return err
		}
	}
	return nil
}
