package feed

import (
	"context"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// loadReplay decides which rows of a batch that is pushed a second time are pushed, held or removed from
// the batch.
func (f *Feeder) loadReplay(ctx context.Context, b *batch, claim lanes.LaneClaim) error {
	if err := f.keepHeld(ctx, b, claim); err != nil {
		return err
	}
	return f.noteLost(ctx, b)
}

// keepHeld removes, from a batch of rows that are pushed a second time, the rows that must not be pushed
// now. These are the held rows, which stay held, and some resubmitted rows, which pushResubmitted pushes
// later. A resubmitted row is removed if this row or an earlier row of its key is delayed and not due. It
// is also removed if held rows of its key come first, or if the method fits returns false for its task.
func (f *Feeder) keepHeld(ctx context.Context, b *batch, claim lanes.LaneClaim) error {
	held, late, err := f.heldOf(ctx, b, claim)
	if err != nil {
		return err
	}
	late = f.addDelayed(b, late)
	fits := map[int64]bool{}
	for _, feed := range b.feeds {
		fits[feed.Num] = f.fits(feed)
	}
	var kept []pending.Row
	b.remove(func(i int) bool {
		row := &b.rows[i]
		if held[row.ID] {
			kept = append(kept, *row)
		}
		return held[row.ID] || row.Since >= 0 && (late[row.ID] || !fits[row.ID.Num()])
	})
	return f.noteResubmitted(ctx, f.generation.Load(), slices.Values(kept))
}

// heldOf returns which rows of a batch are held, and which of its resubmitted rows come after held
// rows of their key.
func (f *Feeder) heldOf(ctx context.Context, b *batch, claim lanes.LaneClaim) (held, late map[events.ID]bool, err error) {
	if !claim.HasHeld || len(b.rows) == 0 {
		return nil, nil, nil
	}
	keys, err := f.lanes.HeldKeys(ctx, claim.Lane, b.keys())
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	held = map[events.ID]bool{}
	var back []pending.Row
	for _, feed := range b.feeds {
		part := batch{rows: b.rowsOf(feed.Num, keys)}
		if err := part.addHeld(ctx, f.lanes, feed, held); err != nil {
			return nil, nil, err
		}
		back = append(back, part.rows...)
	}
	back = slices.DeleteFunc(back, func(r pending.Row) bool { return r.Since < 0 || held[r.ID] })
	groups, err := f.groupsOf(ctx, claim, back)
	return held, behind(groups, back), err
}

// addHeld adds the ids of the batch's held rows to the map `held`. All rows of the batch must
// belong to the task of `feed`.
func (b *batch) addHeld(ctx context.Context, ls *lanes.Store, feed lanes.Feed, held map[events.ID]bool) error {
	if len(b.rows) == 0 {
		return nil
	}
	low, high := b.rows[0].ID.Seq(), b.rows[len(b.rows)-1].ID.Seq()
	groups, err := ls.GroupsWithin(ctx, feed, b.keys(), low, high)
	maps.Copy(held, RowIDs(groups))
	return err
}

// RowIDs returns the set of the ids of all rows in `groups`.
func RowIDs(groups []lanes.HeldGroup) map[events.ID]bool {
	out := map[events.ID]bool{}
	for _, group := range groups {
		for _, seq := range group.Seqs {
			out[events.NewID(group.Num, seq)] = true
		}
	}
	return out
}

// rowsOf returns the rows of a task whose key is in `keys`.
func (b *batch) rowsOf(num int64, keys map[string]bool) (out []pending.Row) {
	for i := range b.rows {
		if b.rows[i].ID.Num() == num && keys[b.rows[i].Key] {
			out = append(out, b.rows[i])
		}
	}
	return out
}

// remove removes rows from a batch, so that they are neither pushed nor held.
func (b *batch) remove(gone func(i int) bool) {
	out := batch{done: b.done}
	for i := range b.rows {
		if gone(i) {
			if i < b.done {
				out.done--
			}
			continue
		}
		out.rows, out.held = append(out.rows, b.rows[i]), append(out.held, b.held[i])
		if b.asks != nil {
			out.asks = append(out.asks, b.asks[i])
		}
	}
	b.rows, b.held, b.asks, b.done = out.rows, out.held, out.asks, out.done
}

// dropRefused removes, from a batch of rows that are pushed a second time, the resubmitted rows that
// Redis refused because their key is full. pushResubmitted pushes them later.
func (b *batch) dropRefused() {
	if b.feeds[0].NeedsRepush() {
		b.remove(func(i int) bool { return b.held[i] && b.rows[i].Since >= 0 })
	}
}
