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

// Registry returns all kinds. db is the database of the service, in which the sample has its
// catalogue.
func Registry(ctx context.Context, db *ledger.DB) (*worker.Registry, error) {
	return worker.NewRegistry(
		ImportProduct(),
		ExportPromos(db),
	), MakeCatalogue(ctx, db)
}
