package notify

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/disable_made.sql
var disableMadeSQL string

// DisableMade disables the webhooks that the makers have added, and returns the number of these
// webhooks. Makers are ids of keys or users. A disabled webhook gets no new deliveries. Deliveries
// that already wait are still attempted.
func (s *Store) DisableMade(ctx context.Context, makers []string) (disabled int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		for _, maker := range makers {
			n, err := tx.Exec(ctx, disableMadeSQL, ledger.Args{"now": s.now().UnixMilli(), "maker": maker})
			if err != nil {
				return err
			}
			disabled += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("notify: disable webhooks: %w", err)
	}
	return disabled, nil
}
