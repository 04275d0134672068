package feed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// emptied adds a task of one key and ends its rows that are in Redis. All others are held.
func (f *farm) emptied() (task *tasks.Task, ended int64) {
	f.t.Helper()
	task = f.rowsOfKeys(times(50, "a")...)
	f.feed()
	ended = int64(f.inRedis("a"))
	f.ack("acme/a")
	f.finish(task.Num, 1, ended)
	return task, ended
}

// wiped empties Redis, and checks that no rows of the key are pushed. It then lets the rows
// continue, and checks that each of them runs.
func (f *farm) wiped(ended int64, resume func()) {
	f.t.Helper()
	f.lose()
	f.feed()
	f.feed()
	if n := f.inRedis("a"); n != 0 {
		f.t.Errorf("%d held rows are pushed after a wipe", n)
	}
	resume()
	var r ran
	defer f.work(&r, 0)()
	f.drain("after the pause", func(int) {})
	if n := r.ordered(f.t); n != int(50-ended) {
		f.t.Errorf("%d rows ran, want %d", n, 50-ended)
	}
}

// TestPause_RedisIsWiped_HeldRowsStay empties Redis while a task is paused.
func TestPause_RedisIsWiped_HeldRowsStay(t *testing.T) {
	on(t, func(f *farm) {
		task, n := f.emptied()
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", task.ID))
		f.wiped(n, func() { f.fine(f.Tasks.Resume(f.t.Context(), "acme", task.ID)) })
	})
}

// TestTenantPause_RedisIsWiped_HeldRowsStay empties Redis while a tenant is paused.
func TestTenantPause_RedisIsWiped_HeldRowsStay(t *testing.T) {
	on(t, func(f *farm) {
		_, n := f.emptied()
		f.pause("acme", true)
		f.wiped(n, func() { f.pause("acme", false) })
	})
}

// TestPause_RedisIsWiped_PushedRowsComeBack empties Redis while it has rows of a paused task.
func TestPause_RedisIsWiped_PushedRowsComeBack(t *testing.T) {
	on(t, func(f *farm) {
		task := f.rowsOfKeys(times(50, "a")...)
		f.feed()
		n := f.inRedis("a")
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", task.ID))
		f.lose()
		f.feed()
		if got := f.inRedis("a"); got != n || n == 0 {
			f.t.Errorf("%d rows are in Redis, want the %d of before the wipe", got, n)
		}
	})
}

// TestFeed_RedisIsWipedOfAWideWindow_RowsBeforeHeldOnesComeBack empties a Redis that has more rows
// of a key than a new feeder would push.
func TestFeed_RedisIsWipedOfAWideWindow_RowsBeforeHeldOnesComeBack(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(times(200, "a")...)
		f.feedsWith(feed.Options{Window: 3200, MinWindow: 3200})
		n := f.inRedis("a")
		f.lose()
		f.feed()
		if got := f.inRedis("a"); got != n || n < 50 {
			f.t.Errorf("%d rows are in Redis, want the %d of before the wipe", got, n)
		}
		f.runsInOrder(200, "after the wipe", func(int) {})
	})
}

// TestFeed_RedisIsWipedOfNoRowOfAKey_KeyGoesOn empties a Redis that has no rows of a key. Redis loses
// only the record that the key is wanted.
func TestFeed_RedisIsWipedOfNoRowOfAKey_KeyGoesOn(t *testing.T) {
	on(t, func(f *farm) {
		feeder := f.feeder()
		f.fine(feeder.Feed(f.t.Context()))
		f.now = f.now.Add(time.Minute)
		task := f.rowsOfKeys(times(50, "a")...)
		f.fine(feeder.Feed(f.t.Context()))
		n := int64(f.inRedis("a"))
		f.ack("acme/a")
		f.finish(task.Num, 1, n)
		f.fine(f.queueFlush())
		f.fine(feeder.Feed(f.t.Context()))
		if f.inRedis("a") == 0 {
			f.t.Error("no rows of the key are pushed until its next report")
		}
	})
}

// TestFeed_RedisIsWipedOfALateKey_HeldRowsWaitForThoseBefore empties Redis. A late step pushes the
// first row of the last key again, when Redis has long had room for the held rows of the key.
func TestFeed_RedisIsWipedOfALateKey_HeldRowsWaitForThoseBefore(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(append(times(200, "a"), times(10, "z")...)...)
		f.feed()
		f.lose()
		opt := feed.Options{Window: 100, MinWindow: 100, Chunk: 50}
		first := queue.Ref{Key: "acme/z", Score: float64(events.NewID(1, 201)), Head: fmt.Sprintf("%016x", int64(events.NewID(1, 201)))}
		opt.OnPush = func(feed.Pushed) {
			places, err := f.Queue.Admin().Locate(f.t.Context(), "k", first)
			f.fine(err)
			if n := f.inRedis("z"); n > 0 && places[0].Waiting == 0 {
				f.t.Errorf("%d held rows are pushed ahead of the first row", n)
			}
		}
		f.feedsWith(opt)
		if f.inRedis("z") == 0 {
			f.t.Error("the last key is not pushed again")
		}
	})
}
