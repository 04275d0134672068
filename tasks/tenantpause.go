package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pause_tenant.sql
	pauseTenantSQL string
	//go:embed sql/stir_tenant.sql
	stirTenantSQL string
	//go:embed sql/tenant_paused.sql
	tenantPausedSQL string
)

// PauseTenant stops the feeding of everything that a tenant has and will have, or
// has it go on. Tasks are made and files are read meanwhile, and what is in Redis
// already still runs, as when each of its tasks is paused; these keep their own
// pause. Feeders obey from their next look on. Repeating it changes nothing.
func (s *Store) PauseTenant(ctx context.Context, tenant string, paused bool) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		now := s.now().UnixMilli()
		if err := lockLanes(ctx, tx, tenant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, stirTenantSQL, ledger.Args{"tenant": tenant, "now": now}); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, pauseTenantSQL, ledger.Args{"tenant": tenant, "paused": paused, "now": now})
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: pause tenant %q: %w", tenant, err)
	}
	return nil
}

// TenantPaused tells whether a tenant is paused; one that nobody has paused, or
// heard of, is not.
func (s *Store) TenantPaused(ctx context.Context, tenant string) (paused bool, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), tenantPausedSQL, ledger.Args{"tenant": tenant}, &paused)
	if err != nil {
		return false, fmt.Errorf("tasks: whether %q is paused: %w", tenant, err)
	}
	return paused, nil
}
