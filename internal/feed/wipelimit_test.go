package feed_test

import "github.com/rollcall-dev/rollcall/internal/feed"

import "testing"

// TestFeed_RedisIsWipedOfACanceledTask_LaterRowsOfItsKeyComeBack wipes Redis. It had rows of a
// key; the rows before them in feeding order are of a canceled task, and were held.
func TestFeed_RedisIsWipedOfACanceledTask_LaterRowsOfItsKeyComeBack(t *testing.T) {
	onBoth(t, func(f *farm) {
		first := f.rowsOfKeys(times(30, "a")...)
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", first.ID))
		second := f.rowsOfKeys(times(50, "a")...)
		f.feed()
		n := int64(f.inRedis("a"))
		f.fine(f.Tasks.ResumeAnyway(f.t.Context(), "acme", first.ID))
		f.feed()
		f.cancel(first)
		f.lose()
		f.feed()
		f.cameBack(second.Num, 1, n)
	})
}

// TestFeed_RedisIsWipedOfManyResubmittedRows_LaterRowsOfTheKeyComeBack wipes a Redis that has
// resubmitted rows of a key among others, more than a new feeder would push.
func TestFeed_RedisIsWipedOfManyResubmittedRows_LaterRowsOfTheKeyComeBack(t *testing.T) {
	on(t, func(f *farm) {
		wide := feed.Options{Window: 10_000, MinWindow: 10_000}
		task := f.rowsOfKeys(times(800, "a")...)
		f.feedsWith(wide)
		n := int64(f.inRedis("a"))
		f.ack("acme/a")
		var seqs []int64
		for seq := range n {
			seqs = append(seqs, seq+1)
		}
		f.resubmit(task.Num, seqs[:200]...)
		f.feedsWith(wide)
		all := int64(f.inRedis("a"))
		over := all - 100
		f.resubmit(task.Num, over) // the row waits until its key has room, and other rows do not wait for it
		f.feedsWith(wide)
		f.lose()
		f.feedsWith(feed.Options{Window: 1000, MinWindow: 1000})
		f.cameBack(task.Num, n+1, over-1)
		f.cameBack(task.Num, over+1, all)
	})
}

// cameBack checks that rows of key a of a task are in Redis.
func (f *farm) cameBack(num, low, high int64) {
	f.t.Helper()
	if high <= low {
		f.t.Fatalf("rows %d to %d were in Redis, want some", low, high)
	}
	var missing []int64
	for seq := low; seq <= high; seq++ {
		ref := f.ref(num, seq)
		ref.Key = "acme/a"
		places, err := f.Queue.Admin().Locate(f.t.Context(), "k", ref)
		f.fine(err)
		if places[0].Waiting == 0 {
			missing = append(missing, seq)
		}
	}
	if len(missing) > 0 {
		f.t.Errorf("of rows %d to %d of task %d, Redis lacks %v", low, high, num, missing)
	}
}
