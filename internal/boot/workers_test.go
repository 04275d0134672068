package boot

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestTracked_CrashLimitAndWeightAreSet_ReachTheQueue also checks the connections of the ledger.
func TestTracked_CrashLimitAndWeightAreSet_ReachTheQueue(t *testing.T) {
	t.Parallel()
	type row struct {
		No string `row:"No"`
	}
	kinds := worker.NewRegistry(worker.Define("rows.read", func(context.Context, *worker.Job[row]) error { return nil }))
	a := &app{
		cfg:   settings.Config{CrashLimit: 5, DatabasePool: 7, Weights: map[string]int{"rows.read": 3}},
		kinds: jobs.RegistryOf(kinds),
	}
	list := a.tracked(&middleware.Recorder{})
	if len(list) != 1 || list[0].MaxCrashes != 5 || list[0].Weight != 3 {
		t.Errorf("the workers are %+v", list)
	}
	if got := a.cfg.LedgerOptions().MaxConns; got != 7 {
		t.Errorf("the ledger may open %d connections", got)
	}
}
