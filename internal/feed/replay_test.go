package feed_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// lost empties Redis of n keys, and sees them fed again.
func (f *farm) lost(n int64) {
	f.t.Helper()
	f.lose()
	if got := f.feed(); got != n {
		f.t.Errorf("%d keys in Redis, want the %d that were lost", got, n)
	}
}

// TestALostWindowIsRefilledWhateverIsFirst has a task of a higher priority come
// while the window is full, and Redis emptied then: the rows that were lost take
// up the window, so nothing would move if they did not come back first.
func TestALostWindowIsRefilledWhateverIsFirst(t *testing.T) {
	on(t, func(f *farm) {
		f.task(100)
		f.feed()
		urgent := f.task(10)
		if err := f.DB.Write.Model(urgent).Update("priority", 5).Error; err != nil {
			f.t.Fatal(err)
		}
		f.lost(100)
	})
}

// TestWhatAPausedTaskHasLostComesBack empties Redis under a paused task: its rows
// hold the window, so they have to be there to run.
func TestWhatAPausedTaskHasLostComesBack(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(100)
		f.feed()
		if err := f.Tasks.Pause(f.t.Context(), "acme", task.ID); err != nil {
			f.t.Fatal(err)
		}
		f.lost(100)
	})
}

// TestARetryWaitsOnInAnotherRedis loses Redis while a row waits for its retry:
// fed again, it waits for what is left of its time, and so does what comes
// behind it; the others are due.
func TestARetryWaitsOnInAnotherRedis(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(3)
		f.feed()
		due := f.now.Add(time.Hour).Truncate(time.Millisecond)
		_, err := f.Events.Record(f.t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Enqueue, Attempt: 1,
			NextRunAt: due.UnixMilli(),
		}})
		if err != nil {
			f.t.Fatal(err)
		}
		f.now = f.now.Add(time.Minute) // a mark may be changed once in a while
		if err := f.queueFlush(); err != nil {
			f.t.Fatal(err)
		}
		f.task(3)
		if n := f.feed(); n != 3 {
			f.t.Fatalf("%d keys in Redis, want 3", n)
		}
		page, err := f.Queue.Admin().Waiting(f.t.Context(), "k", queue.Query{})
		if err != nil {
			f.t.Fatal(err)
		}
		for _, k := range page.Keys {
			waits, retry := k.RunAt.After(f.now.Add(time.Minute)), strings.HasSuffix(k.Key, "/0")
			if waits != retry || retry && !k.RunAt.Equal(due) {
				f.t.Errorf("key %s runs at %v; the retry is due at %v", k.Key, k.RunAt, due)
			}
			if len(k.Payloads) != 2 {
				f.t.Errorf("key %s has %d payloads, want 2", k.Key, len(k.Payloads))
			}
		}
	})
}
