package feed_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// lost empties Redis, and checks that n keys are fed again.
func (f *farm) lost(n int64) {
	f.t.Helper()
	f.lose()
	if got := f.feed(); got != n {
		f.t.Errorf("%d keys in Redis, want the %d that were lost", got, n)
	}
}

// TestALostWindowIsRefilledWhateverIsFirst adds a task of a higher priority while the window is
// full, and then empties Redis. The lost rows still take up the window, so they must be pushed
// before the new task.
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

// TestWhatAPausedTaskHasLostComesBack empties Redis while a task is paused. Its rows take up the
// window, so they must be pushed again to run.
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

// TestARetryWaitsOnInAnotherRedis empties Redis while a row waits for its retry. The row is pushed
// again with the rest of its pause, and the rows of its key wait behind it. The other rows are due.
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
		f.now = f.now.Add(time.Minute) // a mark changes at most once in two seconds
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
