// Package workers registers the kinds of job of this program.
//
// Both commands use it: cmd/worker to run the jobs, cmd/api to validate uploads. Add your own kinds
// to Registry.
package workers

import (
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Registry returns all kinds. db is the service's own database, whose catalogue the sample exports.
func Registry(db *ledger.DB) *worker.Registry {
	return worker.NewRegistry(
		ImportProduct(),
		ExportPromos(db),
	)
}
