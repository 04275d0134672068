package dispatch

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// backlog is the window of the resubmitted rows of a lane. The counts of a task do not
// tell which of them wait for a worker and which for a retry, so a feeder looks after
// those that it has pushed itself.
type backlog struct {
	pushed []events.ID // of which it is not known that they have begun to run
	window int64       // most of them
	bound  bool        // more would have been pushed had it been wider
	at     time.Time   // of the last push, or since when it is so wide
}

// backRoom is how many resubmitted rows of a task there is room for: its lane may have
// as many in Redis as its workers take in a while. Small gaps are left until they are
// worth a push.
func (f *Feeder) backRoom(ctx context.Context, feed tasks.Feed) (room int64, err error) {
	b := &f.pace.flow(laneOf(feed)).back
	if b.pushed, err = f.events.Fresh(ctx, b.pushed); err != nil {
		return 0, err
	}
	b.adapt(f.opt.Now(), f.opt)
	window := min(b.window, most(feed.Window))
	room = window - int64(len(b.pushed))
	b.bound = b.bound || feed.Back > room
	if room < max(window/4, 1) && room < feed.Back {
		return 0, nil
	}
	return room, nil
}

// adapt doubles a window that the workers have emptied, and halves one of which they
// took less than a quarter in a while.
func (b *backlog) adapt(now time.Time, opt Options) {
	waiting := int64(len(b.pushed))
	switch {
	case b.bound && 8*waiting <= b.window:
		b.window *= 2
	case now.Sub(b.at) >= ahead && 4*waiting > 3*b.window:
		b.window, b.at = b.window/2, now
	}
	b.window = min(max(b.window, opt.Least), opt.Window)
	b.bound = false
}

// note remembers rows that were pushed.
func (b *backlog) note(now time.Time, rows []events.Back) {
	for i := range rows {
		if !rows[i].Gone {
			b.pushed = append(b.pushed, rows[i].ID)
		}
	}
	b.at = now
}
