package feed_test

import (
	"testing"
	"time"
)

// due returns the time when all keys with held rows of the only lane are reported to Redis next.
func (f *farm) due() (at int64) {
	f.t.Helper()
	f.fine(f.DB.Read.Raw("SELECT stir_at FROM rollcall.lanes").Scan(&at).Error)
	return at
}

// TestStir_HeldRowsDoNotChange_KeysAreReportedRarely has rows of a key wait for minutes. After a
// step that changes held rows, all keys with held rows are reported within 30 s, because the feeder
// of the step may die.
func TestStir_HeldRowsDoNotChange_KeysAreReportedRarely(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(times(50, "a")...)
		feeder := f.feeder()
		poll := func() { f.t.Helper(); f.fine(feeder.Feed(f.t.Context())) }
		poll()
		f.now = f.now.Add(31 * time.Second)
		poll()
		last := f.due()
		for range 5 {
			f.now = f.now.Add(time.Minute)
			poll()
			if f.due() != last {
				f.t.Fatalf("the keys were reported again, next at %d", f.due())
			}
		}
		f.rowsOfKeys(times(50, "a")...)
		poll()
		if soon := f.now.Add(30 * time.Second).UnixMilli(); f.due() > soon {
			f.t.Errorf("new rows are held, and their keys are reported in %d s", (f.due()-f.now.UnixMilli())/1000)
		}
		f.now = f.now.Add(31 * time.Second)
		poll()
		last = f.due()
		f.now = f.now.Add(11 * time.Minute)
		if poll(); f.due() == last {
			f.t.Error("the keys were not reported for 11 minutes")
		}
	})
}
