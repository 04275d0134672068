package schedules

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/pause_made.sql
var pauseMadeSQL string

// PauseMade pauses the active schedules that the given makers have added or last resumed, and returns
// the number of these schedules. The argument `makers` holds ids of API keys or users. A user can resume
// the schedules.
func (s *Store) PauseMade(ctx context.Context, makers []string) (paused int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		paused = 0 // an earlier try of the transaction may have failed
		for _, maker := range makers {
			n, err := tx.Exec(ctx, pauseMadeSQL, ledger.Args{"now": s.now().UnixMilli(), "maker": maker})
			if err != nil {
				return err
			}
			paused += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("schedules: pause: %w", err)
	}
	return paused, nil
}
