package feed

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// staleAfter is how long after its push a job may hold a slot of its tenant. The slot is free at most an
// hour (a sixth of staleAfter) after this time.
const staleAfter = 6 * time.Hour

// expiryStep is the pause between two searches for stale slots.
const expiryStep = time.Minute

// rangeRows is the greatest number of rows that a statement of expireSlots counts.
const rangeRows = 5_000

// expireSlots counts, for each task, the jobs that have held slots for longer than staleAfter, and stores the
// number. It runs at most once per expiryStep. It reads only tasks of tenants with a limit of slots, and only
// tasks with rows that were pushed more than staleAfter ago. Only one process counts a task at a time.
func (f *Feeder) expireSlots(ctx context.Context) error {
	now := f.opt.Now()
	if now.Before(f.nextExpiry) {
		return nil
	}
	f.nextExpiry = now.Add(expiryStep)
	aged, err := f.lanes.StuckTasks(ctx, staleAfter)
	if err != nil {
		return err
	}
	for _, a := range aged {
		stale := int64(0)
		for low := int64(0); low < a.Fed; low += rangeRows {
			n, err := f.events.CountUnfinished(ctx, events.Range{
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
