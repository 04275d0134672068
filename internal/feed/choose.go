package feed

import (
	"cmp"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// order returns the lanes in the order in which a poll serves them: the lane that was served longest ago
// is first. Among lanes served in the same poll, the lane that is furthest behind its share, in
// proportion to its weight, is first.
func (p *windows) order(active []lanes.Lane) []lanes.Lane {
	out := slices.Clone(active)
	slices.SortStableFunc(out, func(a, b lanes.Lane) int {
		x, y := p.lane(a.ID), p.lane(b.ID)
		return cmp.Or(cmp.Compare(x.served, y.served), cmp.Compare(y.lag*x.weight, x.lag*y.weight))
	})
	return out
}

// choice is the next step of a lane.
type choice struct {
	lanes.Pick
	back bool // the step pushes resubmitted rows of one task
}

// choose returns the next step of a lane, or an empty step if no rows may be pushed. Resubmitted rows
// come after the rows of earlier tasks, and before the rows of later tasks. Rows of a second feeding
// come before all rows that were never pushed. Rows of a second feeding need no free slots and no
// room, because they still count as pushed.
func (p *windows) choose(l lanes.Lane, h lanes.Heads) choice {
	if first, ok := resubmitted(h); ok {
		if room := p.resubmittedRoom(first, h.Left); room > 0 {
			return choice{lanes.Pick{Feeds: []lanes.Feed{first}, Room: room}, true}
		}
	}
	if len(h.Repush) > 0 {
		return choice{Pick: lanes.Pick{Feeds: h.Repush, Room: p.opt.Chunk}}
	}
	next := lanes.Pick{Feeds: unfed(h.Next), Reach: p.opt.Chunk}
	next.Room = min(p.room(l, next.Feeds), h.Left)
	p.lane(l.ID).noteSaturation(next)
	if next.Room <= 0 {
		return choice{}
	}
	next.Feeds = fitting(next.Feeds, next.Room)
	return choice{Pick: next}
}

// resubmitted returns the first task with resubmitted rows that may be pushed now. The result `ok`
// is false if no such task exists, or if rows of an earlier task come first.
func resubmitted(h lanes.Heads) (feed lanes.Feed, ok bool) {
	for _, f := range h.Next {
		if len(h.Repush) > 0 && !f.Before(h.Repush[0]) {
			return feed, false
		}
		if !feeding(f) {
			continue
		}
		if f.ResubmittedTo() > 0 {
			return f, true
		}
		if f.Unfed > 0 || f.Reading {
			return feed, false
		}
	}
	return feed, false
}

// unfed returns the first tasks of a lane with rows that were never pushed and may be pushed now. A task
// that is still being read delays the later tasks of its lane, so that rows of one key keep their order
// across tasks. Paused tasks do not delay others. Open tasks to which programs add rows do not delay
// others, either, because programs may keep them open without a limit. A task with resubmitted rows waits,
// with all later tasks, until these rows are pushed.
func unfed(feeds []lanes.Feed) (out []lanes.Feed) {
	for _, f := range feeds {
		if !feeding(f) {
			continue
		}
		if f.ResubmittedTo() > 0 {
			return out
		}
		if f.Unfed > 0 {
			out = append(out, f)
		}
		if f.Reading {
			return out
		}
	}
	return out
}

// fitting returns the first feeds whose rows fit into `room`. The rows of the last feed may fit
// only in part.
func fitting(feeds []lanes.Feed, room int64) []lanes.Feed {
	for i, f := range feeds {
		if room <= 0 {
			return feeds[:i]
		}
		room -= f.Unfed
	}
	return feeds
}

// room returns how many rows of the given tasks may be pushed. The result is 0 while the room is less than
// a quarter of the window or of the tenant's slots, whichever is smaller. This does not apply if all rows
// or a whole chunk fit.
func (p *windows) room(l lanes.Lane, feeds []lanes.Feed) int64 {
	fl, unfed := p.lane(l.ID), unfedOf(feeds)
	window := min(fl.share, p.maxInRedis(fl), orUnlimited(l.Window))
	room := min(window-fl.waiting, p.maxInRedis(fl)-fl.inRedis, p.opt.Chunk)
	fl.bound = unfed > room && fl.share-fl.waiting <= room
	if room < min(unfed, p.opt.Chunk, max(min(window, orUnlimited(l.Slots))/4, 1)) {
		return 0
	}
	return room
}

// noteSaturation records whether a lane is saturated. In a saturated lane, the next step cannot
// push all rows, and the waiting rows then fill at least three quarters of the lane's share.
func (fl *laneWindow) noteSaturation(next lanes.Pick) {
	room := max(next.Room, 0)
	fl.saturated = unfedOf(next.Feeds) > room && 4*(fl.waiting+room) >= 3*fl.share
}

func unfedOf(feeds []lanes.Feed) (n int64) {
	for _, f := range feeds {
		n += f.Unfed
	}
	return n
}

// orUnlimited returns `limit`, or the greatest int64 if `limit` is 0, which means no limit.
func orUnlimited(limit int64) int64 {
	if limit == 0 {
		return math.MaxInt64
	}
	return limit
}

// feeding reports whether rows of a task may be pushed. It does not apply to a second feeding. The task must
// be open, splitting or running, its tenant not paused, and the time within the run hours.
func feeding(f lanes.Feed) bool {
	return !f.TenantPaused && !f.Closed && (f.Status == tasks.Open || f.Status == tasks.Splitting || f.Status == tasks.Running)
}
