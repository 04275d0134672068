package tasks_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// TestFirstAhead_OtherTasksOfTheLane_IsTheOneFedFirst: the order is by priority, then number. Tasks
// of other lanes do not count, and none is ahead while the task has no place.
func TestFirstAhead_OtherTasksOfTheLane_IsTheOneFedFirst(t *testing.T) {
	on(t, func(d *desk) {
		d.file("globex", "k", "other", 9)
		d.file("acme", "k", "low", 0)
		d.file("acme", "k", "high", 9)
		last := d.file("acme", "k", "last", 0)
		ahead := func() string {
			feed, err := lanes.New(d.tasks).FeedOf(d.Context(), last.Num)
			d.fine(err)
			first, err := lanes.New(d.tasks).FirstAhead(d.Context(), *feed)
			if d.fine(err); first == nil {
				return "none"
			}
			if !first.Unread {
				d.Errorf("the file of %q is read", first.Name)
			}
			return first.Name
		}
		d.same("none", ahead())
		_, err := lanes.New(d.tasks).Lanes(d.Context())
		d.fine(err)
		d.same("high", ahead())
		d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET due_at = ? WHERE rank = -9", int64(9e18)).Error)
		d.same("low", ahead())
		d.fine(d.db.Write.Exec("DELETE FROM rollcall.feeds WHERE task_num < ?", last.Num).Error)
		d.same("none", ahead())
		if first, err := lanes.New(d.tasks).FirstAhead(d.Context(), lanes.Feed{}); err != nil || first != nil {
			d.Errorf("of no lane: %v, %v", first, err)
		}
	})
}
