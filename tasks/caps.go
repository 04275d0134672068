package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/caps.sql
	capsSQL string
	//go:embed sql/set_caps.sql
	setCapsSQL string
)

// Caps returns the caps that the owner of the service has set on the limits of a tenant. 0 means no
// cap. Weight and Hours have no caps.
func (s *Store) Caps(ctx context.Context, tenant string) (l Limits, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), capsSQL, ledger.Args{"tenant": tenant},
		&l.Slots, &l.Window, &l.Rate, &l.Tasks, &l.Rows, &l.Bytes, &l.Priority, &l.Schedules)
	if err != nil {
		return Limits{}, fmt.Errorf("tasks: caps of %q: %w", tenant, err)
	}
	return l, nil
}

// SetCaps sets the caps on a tenant's limits, on behalf of the owner of the service. A limit becomes its
// new cap if it equals the old cap, is above the new cap, or is not set. Weight and Hours stay
// unchanged. SetCaps returns ErrLimits for a cap out of range.
func (s *Store) SetCaps(ctx context.Context, tenant string, l Limits) error {
	return s.SetTenant(ctx, tenant, TenantChange{Limits: l, Caps: true})
}

// WithinCaps returns a *CapError if a limit in `l` is above the tenant's cap. A limit without a cap is
// compared with the default of the service in `usual`. A default of 0 means no limit. A concurrent
// SetCaps that lowers the cap also lowers the limit.
func (s *Store) WithinCaps(ctx context.Context, tenant string, l, usual Limits) error {
	caps, err := s.Caps(ctx, tenant)
	if err != nil {
		return err
	}
	for _, name := range LimitNames {
		at, _ := l.Field(name)
		most, _ := caps.Field(name)
		if *most == 0 {
			most, _ = usual.Field(name)
		}
		if *most > 0 && *at > *most {
			return &CapError{name, *most}
		}
	}
	return nil
}
