package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestExplain_RowWaitsForALimit_NamesIt fills a limit by column, and refuses the key of a row.
func TestExplain_RowWaitsForALimit_NamesIt(t *testing.T) {
	t.Parallel()
	idle := func(context.Context, *worker.Job[patient]) error { return nil }
	limited := worker.Define(patients, idle, worker.AtOnce(1, "Phone"), worker.Rate(1, time.Hour, worker.ByTenant))
	d := newDepotOn(t, ledgers.SQLite(t), func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(limited))
	})
	d.acme.why(d.task+".1", "NO_WORKER", "DUE")
	permits := queue.NewPermits(d.opt.Queue, time.Minute)
	limits := jobs.KindOf(limited).LimitsOf("acme", []byte(`{"Phone":"+14155550177"}`))
	for _, key := range []string{"acme/other", "acme/A"} {
		if _, _, err := permits.Take(t.Context(), patients, key, limits[0]); err != nil {
			t.Fatal(err)
		}
	}
	r := d.acme.why(d.task+".1", "NO_WORKER", "LIMIT_AT_ONCE")
	if text := r["detail"].(string); !strings.Contains(text, "1 row of Phone may") {
		t.Errorf("a limit at once by a sensitive column: %v", r)
	}
	for _, key := range []string{"acme/other", "acme/B"} {
		if _, _, err := permits.Take(t.Context(), patients, key, limits[1]); err != nil {
			t.Fatal(err)
		}
	}
	if r := d.acme.why(d.task+".3", "NO_WORKER", "LIMIT_RATE"); !strings.Contains(r["detail"].(string), "1 row of acme") || r["at"] == nil {
		t.Errorf("a rate: %v", r)
	}
}
