package feed_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
)

// TestSweep_OlderRowOfTheKeyMayBeAtWork_RowsBehindItWait has Redis lose a whole key while its first
// row runs. The rows behind it, of its task and of a later one, must not run beside it.
func TestSweep_OlderRowOfTheKeyMayBeAtWork_RowsBehindItWait(t *testing.T) {
	on(t, func(f *farm) {
		first, second := f.rowsOfKeys("same", "same", "other"), f.rowsOfKeys("same", "other")
		f.feed()
		_, err := f.Events.Record(t.Context(), []events.Move{{
			ID: events.NewID(first.Num, 1), From: events.Enqueue, To: events.Working, Attempt: 1,
			StartedAt: f.now.Add(9 * time.Minute).UnixMilli(),
		}})
		f.fine(err)
		_, err = f.Queue.Admin().Delete(t.Context(), "k", "acme/same")
		f.fine(err)
		f.swept("at work for a minute", reconcile.Repairs{})
		if n := f.inRedis("same"); n != 0 {
			t.Errorf("%d rows were pushed beside an older row at work", n)
		}
		f.swept("at work for eleven minutes", reconcile.Repairs{Fed: 3})
		if n := f.inRedis("same"); n != 3 {
			t.Errorf("Redis has %d rows of the key, want 3", n)
		}
		f.finish(first.Num, 1, 3)
		f.finish(second.Num, 1, 2)
	})
}

// TestVerify_OlderRowOfTheKeyMayBeAtWork_RepairPushesNone checks that verify waits as the sweeper
// does.
func TestVerify_OlderRowOfTheKeyMayBeAtWork_RepairPushesNone(t *testing.T) {
	on(t, func(f *farm) {
		task := f.rowsOfKeys("same", "same", "other")
		f.feed()
		started := f.now
		_, err := f.Events.Record(t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Working, Attempt: 1, StartedAt: started.UnixMilli(),
		}})
		f.fine(err)
		_, err = f.Queue.Admin().Delete(t.Context(), "k", "acme/same")
		f.fine(err)
		opt := reconcile.VerifyOptions{Repair: true, Now: func() time.Time { return started.Add(time.Minute) }}
		if v, findings := f.verify(opt); v.OK() || v.Differences != 2 || !strings.Contains(findings, "not repaired, because a process may run it") {
			t.Errorf("at work for a minute: %+v\n%s", v, findings)
		}
		if n := f.inRedis("same"); n != 0 {
			t.Errorf("%d rows were pushed beside an older row at work", n)
		}
		opt.Now = func() time.Time { return started.Add(11 * time.Minute) }
		if v, findings := f.verify(opt); !v.OK() || v.Repaired != 2 {
			t.Errorf("at work for eleven minutes: %+v\n%s", v, findings)
		}
		if n := f.inRedis("same"); n != 2 {
			t.Errorf("Redis has %d rows of the key, want 2", n)
		}
	})
}
