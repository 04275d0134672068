package workers

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/catalogue.sql
	catalogueSQL string
	//go:embed sql/catalogue_sqlite.sql
	catalogueSQLiteSQL string
)

// MakeCatalogue creates the sample's table catalogue, unless it exists. On Postgres, the table is in
// the first schema of the search_path, where your own program would have its tables.
func MakeCatalogue(ctx context.Context, db *ledger.DB) error {
	text := catalogueSQL
	if db.Pool == nil {
		text = catalogueSQLiteSQL
	}
	_, err := db.Writer().Exec(ctx, text, nil)
	if ledger.Taken(err) { // another process creates it at the same time
		_, err = db.Writer().Exec(ctx, text, nil)
	}
	if err != nil {
		return fmt.Errorf("the table catalogue of the sample workers: %w", err)
	}
	return nil
}
