package feed

import (
	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// counted is the result of a step for one task, in rows. A first row is a row that was never
// resubmitted.
type counted struct {
	fresh int64 // first rows that were pushed or held
	held  int64 // rows that were held
	kept  int64 // first rows that were held
	rest  int64 // first rows that wait for the next step
}

func (b *batch) count() map[int64]counted {
	out := map[int64]counted{}
	for i := range b.rows {
		num, fresh := b.rows[i].ID.Num(), int64(0)
		if b.rows[i].Since < 0 {
			fresh = 1
		}
		c := out[num]
		switch {
		case i >= b.done:
			c.rest += fresh
		case b.held[i]:
			c.fresh, c.held, c.kept = c.fresh+fresh, c.held+1, c.kept+fresh
		default:
			c.fresh += fresh
		}
		out[num] = c
	}
	return out
}

// result returns the progress of each feed, and the held rows. The argument `more` means that Redis
// may have rows after the first b.done rows.
func (b *batch) result(more bool) stepResult {
	n := stepResult{steps: make([]lanes.Step, len(b.feeds)), keys: map[string]int{}}
	counts := b.count()
	for i, feed := range b.feeds {
		n.steps[i] = b.step(i, feed, counts[feed.Num], more)
	}
	for range b.pushed() {
		n.pushed++
	}
	n.shift.Limit, n.shift.Delayed = b.limit, b.delayed
	b.shift(&n)
	return n
}

func (b *batch) step(i int, feed lanes.Feed, c counted, more bool) lanes.Step {
	s := lanes.Step{Feed: feed, Waited: c.fresh, Held: c.held, Doubted: max(feed.Doubted-c.fresh, 0)}
	if at, ok := b.position(i); ok && feed.NeedsRepush() {
		s.Feed.RepushFrom = at
	} else if ok {
		s.Feed.Fed = at
	}
	switch {
	case feed.NeedsRepush():
		s.Waited = 0
		if more {
			s.Doubted = max(s.Doubted, c.rest)
		}
		return s
	case s.Feed.Fed == feed.Total: // rows that ended before they were recorded count, too
		s.Waited, s.Doubted = feed.Unfed, 0
	case more:
		s.Doubted = max(s.Doubted, c.rest)
	}
	s.Pushed = s.Waited - c.kept
	return s
}

// shift groups the held rows into HeldGroups. Each group comes after all earlier held rows of its lane.
func (b *batch) shift(n *stepResult) {
	type place struct {
		key string
		num int64
	}
	places, open := map[int64]int64{}, map[place]int{}
	for i, feed := range b.feeds {
		places[feed.Num] = int64(i) + 1
	}
	for i := range b.rows[:b.done] {
		if !b.held[i] {
			continue
		}
		row := &b.rows[i]
		at := place{row.Key, row.ID.Num()}
		group, ok := open[at]
		if !ok || len(n.shift.In[group].Seqs) == lanes.GroupRows {
			group = len(n.shift.In)
			open[at] = group
			n.shift.In = append(n.shift.In, lanes.HeldGroup{Key: at.key, Num: at.num, Place: places[at.num]})
		}
		n.shift.In[group].Seqs = append(n.shift.In[group].Seqs, row.ID.Seq())
		n.shift.Doubted = n.shift.Doubted || b.asks == nil || b.asks[i]
		if b.delayed[row.Key] == 0 {
			n.keys[row.Key] = b.limit
		}
		if row.Since >= 0 {
			n.shift.Resubmitted = append(n.shift.Resubmitted, lanes.PushedRow{Num: at.num, Pushed: lanes.Pushed{Seq: row.ID.Seq(), Attempt: row.Since}})
		}
	}
}
