package web_test

import (
	"testing"
	"time"
)

// TestLag_RowWaitsInTheLedger_IsItsAge: the API, the pages and the charts show the age while Redis
// does not have the row. A paused tenant has no lag.
func TestLag_RowWaitsInTheLedger_IsItsAge(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.redis.FlushAll()
	fine(t, d.opt.Queue.Admin().Pause(t.Context(), patients)) // Redis has the queue, and none of its jobs
	d.acme.imported("No,tel\nX,+14155550177\n")
	d.split()
	d.pass(2 * time.Minute)
	lag := func(want float64) {
		t.Helper()
		at := queuesPath + "/" + patients
		for _, got := range []any{
			d.home.look(at).object()["lag"],
			d.home.look(queuesPath).object()["items"].([]any)[1].(map[string]any)["lag"],
			d.home.look("/api/v1/stats").object()["by_worker"].(map[string]any)[patients].(map[string]any)["lag"],
			d.home.look("/api/v1/stats").object()["total"].(map[string]any)["lag"],
		} {
			if got != want {
				t.Errorf("lag %v, want %v", got, want)
			}
		}
	}
	lag(120)
	tells(t, d.home.page("/ops"), patients+" Paused", "1 0 2 min")
	tells(t, d.home.page("/ops/queues/"+patients), "Oldest ready row 2 min", "Waiting 0")
	fine(t, d.opt.Queue.Admin().Note(t.Context(), d.opt.Tasks.Lags))
	samples, err := d.opt.Queue.Admin().History(t.Context(), patients, d.clock())
	fine(t, err)
	if len(samples) != 1 || samples[0].Lag != 2*time.Minute {
		t.Errorf("noted for charts: %+v", samples)
	}
	d.pass(time.Minute)
	fine(t, d.opt.Queue.Admin().Note(t.Context(), d.opt.Tasks.Lags))
	d.pass(time.Minute)
	tells(t, d.home.page("/ops"), "at most 0.0 jobs/s")
	for _, tenant := range []string{"acme", "globex"} {
		fine(t, d.opt.Tasks.PauseTenant(t.Context(), tenant, true))
	}
	list, err := d.opt.Tasks.Waits(t.Context())
	if fine(t, err); len(list) != 1 || !list[0].TenantPaused || list[0].Tenant != "acme" {
		t.Errorf("what waits: %+v", list)
	}
	lag(0)
}
