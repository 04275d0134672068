package reconcile

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// next cancels one range of rows. It reports whether more rows can be canceled now.
func (c *Canceler) next(ctx context.Context, t tasks.Cancel, at *canceling) (bool, error) {
	from := min(t.From, t.Total)
	if at.top == 0 || at.top < t.Total {
		low := max(at.top, from)
		r := events.Range{Num: t.Num, After: low, Last: min(low+cancelRows, t.Total)}
		_, err := c.events.Cancel(ctx, r, true)
		if err == nil {
			at.top = max(r.Last, 1)
		}
		return err == nil, err
	}
	now := c.opt.Now()
	if now.Sub(at.since) < c.opt.Grace || t.Enqueue == 0 || now.Before(at.rest) {
		return false, nil
	}
	r := events.Range{Num: t.Num, After: at.low, Last: min(at.low+cancelRows, from)}
	if err := c.cancelPushed(ctx, t, r); err != nil {
		return false, err
	}
	if at.low = r.Last; at.low == from { // rows that workers return later are canceled by the next search
		at.low, at.rest = 0, now.Add(c.opt.Poll)
		return false, nil
	}
	return true, nil
}

// cancelPushed cancels rows that were pushed and do not run. First it calls makeDue for the keys that wait
// for a retry. A worker then fetches the canceled job and drops it, so that later jobs of the key need not
// wait for the retry.
func (c *Canceler) cancelPushed(ctx context.Context, t tasks.Cancel, r events.Range) error {
	rows, err := c.events.Waiting(ctx, r)
	if err != nil {
		return err
	}
	if err := c.makeDue(ctx, t, rows); err != nil {
		return fmt.Errorf("cancel task %d: %w", t.Num, err)
	}
	busy, err := c.busy(ctx, t, rows)
	if err != nil {
		return fmt.Errorf("cancel task %d: %w", t.Num, err)
	}
	_, err = c.events.Cancel(ctx, r, false, busy...)
	return err
}

// makeDue makes each key due now if a row of the key waits for a retry.
func (c *Canceler) makeDue(ctx context.Context, t tasks.Cancel, rows []events.Event) error {
	var keys []string
	for i := range rows {
		if e := &rows[i]; e.Attempt > 0 {
			keys = append(keys, feed.QueueKey(t.Tenant, e.Key, e.ID, t.TaskID))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	_, err := c.client.Admin().PerformNow(ctx, t.Kind, keys...)
	return err
}

// busy returns the rows that workers have fetched. These rows may be running, although the ledger has not
// recorded their start yet. A worker that fetches a row after this call claims the row in the ledger first,
// and does not run a canceled row.
func (c *Canceler) busy(ctx context.Context, t tasks.Cancel, rows []events.Event) (out []events.ID, err error) {
	refs := make([]queue.Ref, len(rows))
	for i := range rows {
		refs[i] = refOf(lanes.Feed{Tenant: t.Tenant, TaskID: t.TaskID}, &rows[i])
	}
	places, err := c.client.Admin().Locate(ctx, t.Kind, refs...)
	if err != nil {
		return nil, err
	}
	for i, p := range places {
		if p.Busy > 0 {
			out = append(out, rows[i].ID)
		}
	}
	return out, nil
}
