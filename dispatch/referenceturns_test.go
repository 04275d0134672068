package dispatch_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestFeeder_TwoTenantsWait_StartsDifferByAWindowAtMost gives two tenants as many rows, each
// in other tasks. One row starts between two looks of a feeder.
func TestFeeder_TwoTenantsWait_StartsDifferByAWindowAtMost(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	rapid.Check(t, func(rt *rapid.T) {
		window := rapid.SampledFrom([]int64{2, 4, 8}).Draw(rt, "window")
		tr := newTrial(t, server, ledgers.SQLite(t), room{window, window})
		defer func() { tr.hand.server.Stop() }()
		rows := rapid.IntRange(1, 30).Draw(rt, "rows")
		tr.enterCut(rt, "acme", rows)
		tr.enterCut(rt, "globex", rows)
		ran := map[string]int{}
		for ran["acme/m"] < rows && ran["globex/m"] < rows {
			tr.feed(rt, rapid.IntRange(0, 1).Draw(rt, "feeder"))
			if l, ok := tr.work(rt, events.Finish); ok {
				ran[l.lane]++
			}
			if d := ran["acme/m"] - ran["globex/m"]; max(d, -d) > int(window) {
				rt.Fatalf("started: %v, with a window of %d", ran, window)
			}
		}
	})
}

// enterCut adds n rows without keys in tasks of random sizes.
func (tr *trial) enterCut(t *rapid.T, tenant string, n int) {
	for n > 0 {
		part := rapid.IntRange(1, n).Draw(t, "size")
		tr.enter(tenant, "m", 0, make([]string, part))
		n -= part
	}
}
