package operate

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// SetWeight changes the weight of a tenant, which determines its share while other tenants wait. It
// records the change in the audit logs of the tenant and of the owner. It returns the errors of
// tasks.Store.SetWeight.
func (x *Tenants) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if err := x.tasks.SetWeight(ctx, tenant, weight); err != nil {
		return fmt.Errorf("operate: %w", err)
	}
	return x.noteLimit(ctx, tenant, "weight", weight)
}

// SetHours changes the run hours of a tenant, and records the change like SetWeight. It returns the errors
// of tasks.Store.SetHours.
func (x *Tenants) SetHours(ctx context.Context, tenant, hours string) error {
	if err := x.tasks.SetHours(ctx, tenant, hours); err != nil {
		return fmt.Errorf("operate: %w", err)
	}
	return x.noteLimit(ctx, tenant, "run_hours", hours)
}

// noteLimit records the new value of a limit in the audit logs.
func (x *Tenants) noteLimit(ctx context.Context, tenant, name string, value any) error {
	request, err := json.Marshal(map[string]any{name: value})
	if err == nil {
		_, err = x.note(ctx, audit.Entry{Act: "limits", Target: tenant, Touched: 1, Detail: audit.Detail{Request: request}})
	}
	if err != nil {
		return fmt.Errorf("operate: %s of tenant: %w", name, err)
	}
	return nil
}
