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

// MakeCatalogue creates the table `catalogue` of the sample kinds, unless it exists. On Postgres, the
// table is in the first schema of the search_path, like the tables of your own program.
func MakeCatalogue(ctx context.Context, db *ledger.DB) error {
	text := catalogueSQL
	if db.Pool == nil {
		text = catalogueSQLiteSQL
	}
	_, err := db.Writer().Exec(ctx, text, nil)
	if err != nil { // another process may have created it at the same time: IF NOT EXISTS does not wait
		_, err = db.Writer().Exec(ctx, text, nil)
	}
	if err != nil {
		return fmt.Errorf("the table catalogue of the sample workers: %w", err)
	}
	return nil
}
