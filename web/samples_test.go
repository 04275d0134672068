package web_test

import (
	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// sampleKinds returns the sample kinds. The tests of this package do not use
// workers.Registry: kinds that are added there must not change their results.
func sampleKinds(db *ledger.DB) *worker.Registry {
	return worker.NewRegistry(workers.ImportProduct(), workers.ExportPromos(db))
}
