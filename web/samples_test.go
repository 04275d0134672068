package web_test

import (
	"context"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// sampleKinds returns the sample kinds, and creates their table. The tests of this package do not
// use workers.Registry, because kinds that are added there must not change their results.
func sampleKinds(db *ledger.DB) *worker.Registry {
	if err := workers.MakeCatalogue(context.Background(), db); err != nil {
		panic(err)
	}
	return worker.NewRegistry(workers.ImportProduct(), workers.ExportPromos(db))
}
