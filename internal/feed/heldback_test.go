package feed_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestRefeed_RowOfAHeldKey_KeepsItsPlace resubmits rows of a key while a later task of the key
// waits. Some are ahead of the held rows of their task, some between and some behind.
func TestRefeed_RowOfAHeldKey_KeepsItsPlace(t *testing.T) {
	on(t, func(f *farm) {
		f.keyed(60, 1, 20, 40, 60)
		f.keyed(10)
		f.feed()
		f.resubmitInvalid(1, 40, 20)
		f.feed()
		f.resubmitInvalid(1, 60, 1)
		f.feed()
		f.runsInOrder(70, "resubmitted rows", func(int) {})
	})
}

// TestRefeed_HeldRowsOfAWipedRedis_KeepTheirPlace empties Redis while resubmitted rows are held.
func TestRefeed_HeldRowsOfAWipedRedis_KeepTheirPlace(t *testing.T) {
	on(t, func(f *farm) {
		f.keyed(60, 20, 40)
		f.feed()
		f.resubmitInvalid(1, 40, 20)
		f.feed()
		f.fine(f.Redis.FlushAll(f.t.Context()).Err())
		f.now = f.now.Add(time.Minute)
		f.runsInOrder(60, "after the wipe", func(int) { f.now = f.now.Add(time.Second) })
	})
}

// TestSweep_OfHeldRows_FindsNoStray runs the sweeper while most rows of a task are held.
func TestSweep_OfHeldRows_FindsNoStray(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(append(times(300, "a"), times(30, "b")...)...)
		f.feed()
		s := reconcile.NewSweeper(f.Tasks, f.Events, f.Queue, f.Kinds, reconcile.SweeperOptions{
			Quiet: time.Nanosecond, Now: func() time.Time { return f.now.Add(time.Hour) },
		})
		f.fine(s.Sweep(f.t.Context()))
		if got := s.Repairs(); got != (reconcile.Repairs{}) {
			f.t.Errorf("mended: %+v", got)
		}
		if n := f.inRedis("a"); n > 8 {
			f.t.Errorf("%d rows of a key are in Redis", n)
		}
	})
}

// TestStir_KeyThatRedisForgot_IsWantedAgain deletes what Redis has about held keys.
func TestStir_KeyThatRedisForgot_IsWantedAgain(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(times(50, "a")...)
		f.feed()
		keys, err := f.Redis.Keys(f.t.Context(), "*:limits").Result()
		if err != nil || len(keys) != 1 {
			f.t.Fatal(keys, err)
		}
		f.fine(f.Redis.Del(f.t.Context(), keys...).Err())
		f.runsInOrder(50, "the key", func(int) { f.now = f.now.Add(time.Second) })
	})
}

// TestSlots_OfHeldRows_AreNotTaken has a tenant with few slots.
func TestSlots_OfHeldRows_AreNotTaken(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		f.rowsOfKeys(times(100, "a")...)
		f.task(20)
		f.fine(f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 10}))
		f.feed()
		f.feed()
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil {
			f.t.Fatal(err)
		}
		inRedis := int64(0)
		for _, feed := range feeds {
			inRedis += feed.InRedis
		}
		if inRedis > 10 || feeds[1].InRedis == 0 {
			f.t.Errorf("feeds = %+v", feeds)
		}
		f.runsInOrder(120, "few slots", func(int) {})
	})
}

// TestRelease_ResubmittedRowOfAHeldKey_CountsOnce resubmits a row between held rows.
func TestRelease_ResubmittedRowOfAHeldKey_CountsOnce(t *testing.T) {
	on(t, func(f *farm) {
		f.keyed(9, 6)
		f.feed()
		f.resubmitInvalid(1, 6)
		f.feed()
		for last, n := int64(0), 0; last < 8; last += int64(n) {
			if n = f.inRedis("same"); n == 0 {
				f.t.Fatalf("no rows behind row %d are in Redis", last)
			}
			f.finish(1, last+1, min(last+int64(n), 8))
			f.ack("acme/same")
			f.feed()
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || len(feeds) != 1 || feeds[0].Pushed != 9 {
			f.t.Errorf("feeds = %+v, %v, want 9 rows pushed", feeds, err)
		}
	})
}
