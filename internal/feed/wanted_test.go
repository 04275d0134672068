package feed_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWanted_AnotherFeederHoldsRowsBehindAPoll_KeyStaysWanted has a second feeder hold rows of a lane
// at each moment of a poll of the first feeder. The lane had no held rows before.
func TestWanted_AnotherFeederHoldsRowsBehindAPoll_KeyStaysWanted(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.AddOf(f.t, "globex", "k", drafts(times(50, "g"))...)
		left, hold := -1, func() {}
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			Window: 100, MinWindow: 100, Chunk: 50, Now: func() time.Time {
				if left--; left == 0 {
					hold()
				}
				return f.now
			},
		})
		poll := func() { f.t.Helper(); f.fine(feeder.Feed(f.t.Context())) }
		filler := f.task(1) // its lane always has something to push
		poll()
		f.sql("UPDATE rollcall.feeds SET reading = TRUE, rank = 5 WHERE task_num = %d", filler.Num)
		for moment := 1; moment < 7; moment++ {
			task := f.rowsOfKeys(times(50, "a")...)
			poll()
			f.finish(task.Num, 1, 50)
			f.ack("acme/a")
			poll()
			poll()
			var last *tasks.Task
			hold = func() {
				last = f.rowsOfKeys(times(50, "a")...)
				f.feed()
				f.finish(last.Num, 1, int64(f.inRedis("a")))
				f.ack("acme/a")
			}
			left = moment
			poll()
			if last == nil {
				break // the poll reads the clock fewer times
			}
			names, err := f.Queue.Wanted(f.t.Context(), "k", 100)
			f.fine(err)
			if f.inRedis("a") == 0 && len(names) == 0 {
				f.t.Errorf("moment %d: the key is neither in Redis nor wanted", moment)
			}
			f.finish(last.Num, 1, 50)
			f.ack("acme/a")
		}
	})
}
