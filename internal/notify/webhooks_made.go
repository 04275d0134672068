package notify

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/disable_made.sql
	disableMadeSQL string
	//go:embed sql/fail_made.sql
	failMadeSQL string
)

// DisableMade disables the webhooks that the makers have added, and returns the number of these
// webhooks. Makers are ids of API keys or users. A disabled webhook gets no new deliveries, and its
// waiting deliveries end.
func (s *Store) DisableMade(ctx context.Context, makers []string) (disabled int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		disabled = 0 // an earlier try of the transaction may have failed
		for _, maker := range makers {
			args := ledger.Args{"now": s.now().UnixMilli(), "maker": maker}
			n, err := tx.Exec(ctx, disableMadeSQL, args)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, failMadeSQL, args); err != nil {
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
