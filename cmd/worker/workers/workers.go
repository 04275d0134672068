// Package workers registers the kinds of job of this program.
//
// Both commands use it: cmd/worker to run the jobs, cmd/api to validate uploads. Add your own kinds
// to Registry.
package workers

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Registry returns all kinds. db is the service's own database, in which the sample keeps its
// catalogue.
func Registry(ctx context.Context, db *ledger.DB) (*worker.Registry, error) {
	return worker.NewRegistry(
		ImportProduct(),
		ExportPromos(db),
	), MakeCatalogue(ctx, db)
}
