package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/erase.sql
var eraseSQL string

// EraseIn deletes all events of the task with number num, and what their jobs have kept,
// in a transaction of the caller, which accounts for that.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, num int64) error {
	for _, text := range []string{eraseSQL, forgetSQL} {
		if _, err := tx.Exec(ctx, text, bounds(num)); err != nil {
			return err
		}
	}
	return nil
}
