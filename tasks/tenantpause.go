package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pause_tenant.sql
	pauseTenantSQL string
	//go:embed sql/stop_tenant.sql
	stopTenantSQL string
	//go:embed sql/stir_tenant.sql
	stirTenantSQL string
	//go:embed sql/tenant_paused.sql
	tenantPausedSQL string
)

// ErrStopped means that the owner of the service has paused a tenant: its operators cannot
// resume it.
var ErrStopped = errors.New("the owner has paused the tenant")

// TenantState holds the pauses of a tenant.
type TenantState struct {
	Paused  bool // no rows of the tenant are fed
	Stopped bool // paused by the owner of the service: only the owner can resume it
}

// PauseTenant pauses or resumes the feeding of all present and future tasks of a tenant. During a
// pause, tasks are still created, files are read, and jobs already in Redis run. Each task keeps its
// own pause. Feeders apply the change at their next poll. Repeating a call is a no-op. PauseTenant
// returns ErrStopped for a resume if the owner has paused the tenant.
func (s *Store) PauseTenant(ctx context.Context, tenant string, paused bool) error {
	state, err := s.TenantState(ctx, tenant)
	if err == nil && state.Stopped && !paused {
		err = fmt.Errorf("tasks: pause tenant %q: %w", tenant, ErrStopped)
	}
	if err != nil {
		return err
	}
	return s.turnTenant(ctx, tenant, pauseTenantSQL, ledger.Args{"paused": paused})
}

// StopTenant is like PauseTenant for the owner of the service: operators of the tenant cannot resume
// it.
func (s *Store) StopTenant(ctx context.Context, tenant string, stopped bool) error {
	return s.turnTenant(ctx, tenant, stopTenantSQL, ledger.Args{"stopped": stopped})
}

// turnTenant runs a statement that pauses or resumes a tenant.
func (s *Store) turnTenant(ctx context.Context, tenant, text string, args ledger.Args) error {
	args["tenant"] = tenant
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		now := s.now().UnixMilli()
		if err := LockLanes(ctx, tx, tenant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, stirTenantSQL, ledger.Args{"tenant": tenant, "now": now}); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, text, s.dated(args))
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: pause tenant %q: %w", tenant, err)
	}
	return nil
}

// TenantState returns the pauses of a tenant.
func (s *Store) TenantState(ctx context.Context, tenant string) (TenantState, error) {
	state, err := tenantState(ctx, s.db.Reader(), tenant)
	if err != nil {
		return state, fmt.Errorf("tasks: whether %q is paused: %w", tenant, err)
	}
	return state, nil
}

func tenantState(ctx context.Context, tx ledger.Tx, tenant string) (state TenantState, err error) {
	_, err = ledger.Row(ctx, tx, tenantPausedSQL, ledger.Args{"tenant": tenant}, &state.Paused, &state.Stopped)
	return state, err
}
