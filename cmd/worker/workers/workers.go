// Package workers defines and registers the kinds of jobs of this program.
//
// Both commands use it: cmd/worker to run the jobs, cmd/api to validate uploads. Add your own kinds
// to Registry.
package workers

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Registry returns all kinds, and creates the table `catalogue` of the sample kinds. The argument `db`
// is the database of the service.
func Registry(ctx context.Context, db *ledger.DB) (*worker.Registry, error) {
	return worker.NewRegistry(
		ImportProduct(),
		ExportPromos(db),
	), MakeCatalogue(ctx, db)
}
