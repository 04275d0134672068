// Package workers registers the kinds of job that this program knows.
//
// Both commands use it: cmd/worker to run the jobs, cmd/api to check uploads
// against their columns. Add a kind of your own to Registry.
package workers

import (
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Registry makes all kinds. db is the service's own database, whose catalogue the sample
// exports.
func Registry(db *ledger.DB) *worker.Registry {
	return worker.NewRegistry(
		ImportProduct(),
		ExportPromos(db),
	)
}
