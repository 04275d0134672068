package pending

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/passed.sql
var passedSQL string

// Passed returns the rows among `ids` that are not at rest, although a newer row of their key has
// finished: their jobs were lost. It reads the next 1,000 rows of each key. Rows of later tasks
// count as newer only for imports without a start time, and only if the later task has no higher
// priority.
func (s *Store) Passed(ctx context.Context, ids []events.ID) (out []events.ID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	raw := make([]int64, len(ids))
	for i, id := range ids {
		raw[i] = int64(id)
	}
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, passedSQL, ledger.Args{"ids": raw}, func(scan ledger.Scan, id *events.ID) error {
			return scan(id)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("pending: rows that were passed by: %w", err)
	}
	return out, nil
}
