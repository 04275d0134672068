package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/place_feed.sql
var placeFeedSQL string

// Place gives the feed of a task its place among the others of its lane, after a change
// of what that depends on: status, hold, whether more rows come.
func (s *Store) Place(ctx context.Context, tx ledger.Tx, num int64) error {
	_, err := tx.Exec(ctx, placeFeedSQL, ledger.Args{"num": num, "now": s.now().UnixMilli()})
	return err
}
