package operate

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// SetWeight changes the share of a tenant while other tenants wait, and records it in the audits of
// the tenant and of the owner. Errors are those of tasks.Store.SetWeight.
func (x *Tenants) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if err := x.tasks.SetWeight(ctx, tenant, weight); err != nil {
		return fmt.Errorf("operate: %w", err)
	}
	_, err := x.note(ctx, audit.Entry{
		Act: "limits", Target: tenant, Touched: 1,
		Detail: audit.Detail{Request: fmt.Appendf(json.RawMessage{}, `{"weight":%d}`, weight)},
	})
	if err != nil {
		return fmt.Errorf("operate: weight of tenant: %w", err)
	}
	return nil
}
