package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pause_made.sql
	pauseMadeSQL string
	//go:embed sql/disable_made.sql
	disableMadeSQL string
)

// PauseMade pauses the schedules that any of the makers made, which are ids of keys or people,
// and returns how many it paused. A paused schedule can be resumed.
func (s *Schedules) PauseMade(ctx context.Context, makers []string) (paused int64, err error) {
	return endMade(ctx, s.db, pauseMadeSQL, ledger.Args{"now": s.now().UnixMilli()}, makers)
}

// DisableMade disables the webhooks that any of the makers made, and returns how many it
// disabled. A disabled webhook gets nothing more, as after a 410.
func (o *Outbox) DisableMade(ctx context.Context, makers []string) (disabled int64, err error) {
	return endMade(ctx, o.db, disableMadeSQL, ledger.Args{"now": o.now().UnixMilli()}, makers)
}

func endMade(ctx context.Context, db *ledger.DB, text string, args ledger.Args, makers []string) (ended int64, err error) {
	err = db.InTx(ctx, func(tx ledger.Tx) error {
		for _, maker := range makers {
			args["maker"] = maker
			n, err := tx.Exec(ctx, text, args)
			if err != nil {
				return err
			}
			ended += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("tasks: end what was made: %w", err)
	}
	return ended, nil
}
