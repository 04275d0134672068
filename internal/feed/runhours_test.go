package feed_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/tasks"
)

// hour sets the farm's clock to the next occurrence of a time of the day in UTC.
func (f *farm) hour(text string) {
	f.t.Helper()
	h, err := cron.ParseHours(text + "-" + "23:59 UTC")
	f.fine(err)
	for f.now = f.now.Add(time.Minute); !h.Opened(f.now).Equal(f.now.Truncate(time.Minute)); {
		f.now = f.now.Add(time.Minute)
	}
}

// hours sets the run hours of the kind.
func (f *farm) hours(text string) {
	f.t.Helper()
	h, err := cron.ParseHours(text)
	f.fine(err)
	f.Tasks = tasks.New(f.DB, tasks.Options{
		Now: func() time.Time { return f.now }, Hours: map[string]cron.Hours{"k": h},
	})
}

// closes feeds within run hours and outside of them, and checks which rows wait.
func (f *farm) closes() {
	f.t.Helper()
	keys := func(when string, want int64) {
		f.t.Helper()
		if n := f.feed(); n != want {
			f.t.Errorf("%s: %d keys in Redis, want %d", when, n, want)
		}
	}
	waits := func(when string, rows int64, lag time.Duration) {
		f.t.Helper()
		lags, err := f.Tasks.Lags(f.t.Context())
		f.fine(err)
		if got := lags["k"].Truncate(time.Minute); got != lag {
			f.t.Errorf("%s: the oldest row waits for %v, want %v", when, got, lag)
		}
		list, err := f.Tasks.Backlog(f.t.Context())
		f.fine(err)
		own, err := f.Tasks.TenantBacklog(f.t.Context(), "acme")
		f.fine(err)
		if len(list) != 1 || list[0].Rows != rows || own.Kinds["k"].Rows != rows {
			f.t.Errorf("%s: %d rows may run, want %d", when, list[0].Rows, rows)
		}
	}
	f.hour("05:00")
	keys("at first", 0)
	fed := f.task(3)
	keys("within the hours", 3)
	f.hour("06:30")
	f.task(4)
	keys("outside", 3)
	waits("outside", 3, 0)
	f.finish(fed.Num, 1, 3)
	f.ack("acme/0", "acme/1", "acme/2")
	keys("outside, and ended", 0)
	waits("outside, and ended", 0, 0)
	f.hour("22:10")
	waits("within the hours again", 4, 10*time.Minute)
	keys("within the hours again", 4)
}

// TestRunHours_OfAKind_RowsWaitOutside checks that the rows wait in the ledger and are not reported
// as late. Rows in Redis run.
func TestRunHours_OfAKind_RowsWaitOutside(t *testing.T) {
	on(t, func(f *farm) {
		f.hours("22:00-06:00 UTC")
		f.closes()
	})
}

// TestRunHours_OfATenant_RowsWaitOutside checks for a tenant what the test above checks for a kind.
func TestRunHours_OfATenant_RowsWaitOutside(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.fine(f.Tasks.SetHours(f.t.Context(), "acme", "22:00-06:00 UTC"))
		f.fine(f.Tasks.SetHours(f.t.Context(), "globex", "01:00-02:00 UTC"))
		f.closes()
	})
}

// TestRunHours_LostRedis_IsFilledOutside checks that only rows that were in Redis are pushed again.
func TestRunHours_LostRedis_IsFilledOutside(t *testing.T) {
	on(t, func(f *farm) {
		f.hours("22:00-06:00 UTC")
		f.hour("05:00")
		f.feed()
		f.task(3)
		f.feed()
		f.hour("06:30")
		f.task(4)
		f.fine(f.queueFlush())
		if n := f.feed(); n != 3 {
			f.t.Errorf("%d keys in Redis, want the three that were there", n)
		}
	})
}

// TestRunHours_ManyHeldKeys_KeepTheWindow checks the window when the hours begin. Redis may have no
// rows of these keys.
func TestRunHours_ManyHeldKeys_KeepTheWindow(t *testing.T) {
	on(t, func(f *farm) {
		f.hours("22:00-06:00 UTC")
		f.hour("05:00")
		f.heldKeys(140)
		f.hour("06:30")
		f.feed()
		if list, err := f.Tasks.Waits(t.Context()); err != nil || len(list) != 1 || !list[0].Paused() {
			f.t.Errorf("the waiting tasks are %+v, %v", list, err)
		}
		f.resumes(func() { f.hour("22:00") })
	})
}

// TestRunHours_PassEndsWithTheHours_BeginsAnew checks that the lane is marked once after each
// period of run hours, so that the next period begins with the first key.
func TestRunHours_PassEndsWithTheHours_BeginsAnew(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.hours("22:00-06:00 UTC")
		f.hour("05:00")
		f.heldKeys(140)
		mark := func() (at int64) {
			f.hour("06:30")
			f.feed()
			f.fine(f.DB.Read.Raw("SELECT stir_at FROM rollcall.lanes").Scan(&at).Error)
			return at
		}
		first := mark()
		if again := mark(); again >= first {
			f.t.Errorf("the mark of the next day is %d, as that of the day before", again)
		}
		f.now = f.now.Add(time.Hour)
		f.feed()
		var at int64
		f.fine(f.DB.Read.Raw("SELECT stir_at FROM rollcall.lanes").Scan(&at).Error)
		if want := f.now.Add(-time.Hour).UnixMilli(); at != -want {
			f.t.Errorf("the lane is marked twice: %d, want %d", at, -want)
		}
	})
}
