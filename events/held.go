package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/held_rows.sql
var heldRowsSQL string

// HeldRows returns those of some rows that a feeder is to push: they are not at rest, and
// were not resubmitted to be fed by themselves.
func (s *Store) HeldRows(ctx context.Context, ids []ID) (map[ID]Back, error) {
	raw := make([]int64, len(ids))
	for i, id := range ids {
		raw[i] = int64(id)
	}
	list, err := ledger.List(ctx, s.db.Reader(), heldRowsSQL, ledger.Args{"ids": raw},
		func(scan ledger.Scan, b *Back) error {
			return scan(&b.ID, &b.Row, &b.Key, &b.Attempt, &b.NextRunAt, &b.Params, &b.Since)
		})
	if err != nil {
		return nil, fmt.Errorf("events: held rows: %w", err)
	}
	out := make(map[ID]Back, len(list))
	for i := range list {
		out[list[i].ID] = list[i]
	}
	return out, nil
}
