package feed_test

import (
	"testing"
	"time"
)

// pause pauses or resumes a tenant, and checks that the ledger has recorded it.
func (f *farm) pause(tenant string, paused bool) {
	f.t.Helper()
	f.fine(f.Tasks.PauseTenant(f.t.Context(), tenant, paused))
	if is, err := f.Tasks.TenantState(f.t.Context(), tenant); err != nil || is.Paused != paused {
		f.t.Fatalf("paused: %v, %v; want %v", is, err, paused)
	}
}

// TestAPausedTenant checks that no more rows of the tenant are fed, neither new nor resubmitted
// ones. Rows in Redis run, and are pushed again if Redis loses them. Other tenants are fed.
func TestAPausedTenant(t *testing.T) {
	on(t, func(f *farm) {
		keys := func(when string, want int64) {
			f.t.Helper()
			if n := f.feed(); n != want {
				f.t.Errorf("%s: %d keys in Redis, want %d", when, n, want)
			}
		}
		keys("at first", 0)
		f.pause("globex", true)
		bad := f.keyed(2, 1, 2)
		fed := f.task(3)
		keys("another tenant is paused", 3)
		f.pause("acme", true)
		f.pause("acme", true)
		f.resubmitInvalid(bad.Num, 1, 2)
		f.task(4)
		keys("paused", 3)
		f.now = f.now.Add(time.Minute) // a mark changes at most once in two seconds
		f.fine(f.queueFlush())
		keys("paused, and lost", 3)
		f.finish(fed.Num, 1, 3)
		f.ack("acme/0", "acme/1", "acme/2")
		keys("paused, and ended", 0)
		f.pause("acme", false)
		keys("resumed", 5) // four keys, and the one key of the two resubmitted rows
	})
}
