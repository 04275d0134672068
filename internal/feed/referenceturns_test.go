package feed_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestFeeder_TwoTenantsWait_StartsDifferByAWindowAtMost has two tenants with rows and different
// weights, each with its own tasks. Few or many rows start between two polls of a feeder. No tenant
// starts more than its share, beyond the rows that it may have in Redis at once.
func TestFeeder_TwoTenantsWait_StartsDifferByAWindowAtMost(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	rapid.Check(t, func(rt *rapid.T) {
		window := rapid.SampledFrom([]int64{2, 4, 8}).Draw(rt, "window")
		tr := newTrial(t, server, ledgers.SQLite(t), room{window, 3 * window})
		defer func() { tr.hand.server.Stop() }()
		rows, most := rapid.IntRange(1, 30).Draw(rt, "rows"), rapid.IntRange(1, int(2*window)).Draw(rt, "taken")
		for _, tenant := range []string{"acme", "globex"} {
			weight := rapid.Int64Range(1, 3).Draw(rt, "weight")
			tr.weigh(tenant, weight)
			tr.enterCut(rt, tenant, rows*int(weight))
		}
		ran := map[string]int{}
		for tr.waits("acme/m", ran) && tr.waits("globex/m", ran) {
			tr.feed(rt, rapid.IntRange(0, 1).Draw(rt, "feeder"))
			for range rapid.IntRange(1, most).Draw(rt, "taken now") {
				if l, ok := tr.work(rt, events.Finish); ok {
					ran[l.lane]++
				}
			}
			if d := tr.ahead(ran); d > float64(3*window) {
				rt.Fatalf("started: %v by weights %v, with windows of %d", ran, tr.plan.weights, window)
			}
		}
	})
}

// waits reports whether a lane has rows that have not started.
func (tr *trial) waits(lane string, ran map[string]int) bool {
	n := 0
	for _, l := range tr.plan.order(lane) {
		n += len(l.rows)
	}
	return ran[lane] < n
}

// ahead returns how many rows a tenant has started above its share.
func (tr *trial) ahead(ran map[string]int) float64 {
	a, g := float64(tr.plan.weights["acme"]), float64(tr.plan.weights["globex"])
	of, all := float64(ran["acme/m"]), float64(ran["acme/m"]+ran["globex/m"])
	return math.Abs(of - all*a/(a+g))
}

// enterCut adds n rows without keys in tasks of random sizes.
func (tr *trial) enterCut(t *rapid.T, tenant string, n int) {
	for n > 0 {
		part := rapid.IntRange(1, n).Draw(t, "size")
		tr.enter(tenant, "m", 0, make([]string, part))
		n -= part
	}
}
