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

// Caps returns the caps that the owner of the service sets for a tenant; 0 means no cap. The weight
// has no cap.
func (s *Store) Caps(ctx context.Context, tenant string) (l Limits, err error) {
	_, err = ledger.Row(ctx, s.db.Reader(), capsSQL, ledger.Args{"tenant": tenant},
		&l.Slots, &l.Window, &l.Rate, &l.Tasks, &l.Rows, &l.Bytes, &l.Priority, &l.Schedules)
	if err != nil {
		return Limits{}, fmt.Errorf("tasks: caps of %q: %w", tenant, err)
	}
	return l, nil
}

// SetCaps changes the caps that the owner of the service sets for a tenant. It lowers limits of the
// tenant above their caps, and sets limits that the tenant has not lowered itself to the new caps. The
// weight stays. It returns ErrLimits for a cap out of range.
func (s *Store) SetCaps(ctx context.Context, tenant string, l Limits) error {
	if err := l.check(); err != nil {
		return fmt.Errorf("tasks: caps of %q: %w", tenant, err)
	}
	return s.exec(ctx, "set caps", setCapsSQL, s.dated(l.args(tenant)))
}

// WithinCaps returns a CapError if a limit is above the cap of the tenant. Without a cap, the limits
// of the service in usual apply; 0 means no limit. A cap that is lowered at the same moment lowers the
// limit.
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
