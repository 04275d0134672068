package explain

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/web/view"
)

// tenant explains that the tenant of the row is paused, or has no slot left.
func (x *explainer) tenant(ctx context.Context, own *lanes.Feed) error {
	slots, taken, err := x.s.Tasks.SlotsTaken(ctx, x.t.Tenant)
	switch {
	case err != nil:
		return err
	case own.TenantPaused:
		x.add("TENANT_PAUSED")
	case slots > 0 && taken >= slots:
		x.add("TENANT_SLOTS", "n", slots)
	}
	return nil
}

// turn explains that rows of other tenants are started in between.
func (x *explainer) turn(ctx context.Context) error {
	t, err := x.s.Tasks.WeightsOf(ctx, x.t.Tenant, x.t.Kind)
	if err == nil && t.Others > 0 {
		x.add("TENANT_TURN", "n", t.Others, "part", t.Part(), "weight", t.Weight, "all", t.All)
	}
	return err
}

// ahead explains that n rows are fed before the row, and names the task that comes first.
func (x *explainer) ahead(ctx context.Context, own *lanes.Feed, n int64) error {
	first, err := lanes.New(x.s.Tasks).FirstAhead(ctx, *own)
	if err != nil {
		return err
	}
	var r *view.Reason
	switch {
	case first == nil:
		r = x.add("NOT_FED", "n", n)
	case first.Unread:
		r = x.add("BEHIND_FILE", "task", cmp.Or(first.Name, first.TaskID))
	default:
		r = x.add("BEHIND_TASK", "n", n, "task", cmp.Or(first.Name, first.TaskID))
	}
	if r.Place = &n; first != nil {
		r.Behind = &first.TaskID
	}
	return nil
}
