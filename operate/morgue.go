package operate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// Discard deletes keys from the morgue, with all their jobs, and returns how
// many there were. Their rows stay in error: people may have them run again.
func (d *Desk) Discard(ctx context.Context, o Order) (int, error) {
	return o.pages(ctx, d.admin.Morgue, queue.Query{}, func(keys []string) (int, error) {
		n, err := d.admin.DeleteMorgue(ctx, o.Queue, keys...)
		return n, queueErr(err)
	})
}

// Requeue brings keys back from the morgue, and returns how many. Their rows are
// resubmitted: they have all their retries again, and run in the order of their
// key. Those of a task that is canceled, or was purged, stay dead.
func (d *Desk) Requeue(ctx context.Context, o Order) (int, error) {
	return o.pages(ctx, d.admin.Morgue, queue.Query{}, func(keys []string) (int, error) {
		if !o.tracked(d.kinds) {
			n, err := d.admin.RequeueMorgue(ctx, o.Queue, keys...)
			return n, queueErr(err)
		}
		back := map[string]bool{}
		err := d.bodies(ctx, o, keys, func(list []*body) error { return d.revive(ctx, o, list, back) })
		return len(back), err
	})
}

// revive brings back the jobs of a page, and notes their keys.
func (d *Desk) revive(ctx context.Context, o Order, list []*body, back map[string]bool) error {
	byTask := map[int64][]*body{}
	for _, b := range list {
		if b.known && b.state.Status == events.Error {
			num := b.env.Event.Num()
			byTask[num] = append(byTask[num], b)
		}
	}
	for _, num := range slices.Sorted(maps.Keys(byTask)) {
		if err := d.resubmit(ctx, o, num, byTask[num]); err != nil {
			return err
		}
	}
	stalled := map[string]bool{} // the ledger was never told that they died
	for _, b := range list {
		switch {
		case b.waited(), b.known && !b.alive && b.state.Status == events.Working:
			stalled[b.Key], back[b.Key] = true, true
		case b.known && b.state.Status == events.Enqueue:
			back[b.Key] = back[b.Key] || b.state.Back
		}
	}
	if err := d.bury(ctx, o, list, (*body).over); err != nil {
		return err
	}
	if len(stalled) == 0 {
		return nil
	}
	_, err := d.admin.RequeueMorgue(ctx, o.Queue, slices.Collect(maps.Keys(stalled))...)
	return queueErr(err)
}

// over tells that nothing hangs on this copy: its row is resubmitted, has ended
// well, or is gone.
func (b *body) over() bool {
	return !b.known || b.alive || b.state.Back || b.state.Status.Rest() && b.state.Status != events.Error
}

// resubmit has rows of one task run again, and notes in each which do.
func (d *Desk) resubmit(ctx context.Context, o Order, num int64, list []*body) error {
	seqs := make([]int64, len(list))
	for i, b := range list {
		seqs[i] = b.env.Event.Seq()
	}
	rows, err := d.events.Bad(ctx, num, events.Filter{
		Statuses: []events.Status{events.Error}, Seqs: seqs, Limit: len(seqs),
	})
	if err != nil {
		return err
	}
	r := events.Review{Num: num, By: o.By}
	for i := range rows {
		if o.Keys == nil && rows[i].State() == events.Skipped {
			continue // a person wants it left
		}
		r.Rows = append(r.Rows, events.Decision{
			ID: rows[i].ID, Version: rows[i].Version, Resolution: events.Resubmitted,
			Note: "requeued from the morgue",
		})
	}
	made, err := d.events.Decide(ctx, r)
	if errors.Is(err, events.ErrClosed) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("operate: requeue: %w", err)
	}
	for i, d := range r.Rows {
		for _, b := range list { // of some there are several copies
			if made[i] && b.env.Event == d.ID {
				b.state.Status, b.state.Back = events.Enqueue, true
			}
		}
	}
	return nil
}
