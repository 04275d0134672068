package tasks_test

import (
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TestCaps_SetAndLowered_BindTheTenant: limits are those of the owner, unless the tenant has
// lowered them. A higher limit is refused, and never stored.
func TestCaps_SetAndLowered_BindTheTenant(t *testing.T) {
	on(t, func(d *desk) {
		ctx := d.Context()
		limits := func(want tasks.Limits) {
			d.Helper()
			got, err := d.tasks.Limits(ctx, "acme")
			d.fine(err)
			got.Weight = 0
			d.same(want, got)
		}
		all := tasks.Limits{Slots: 10, Window: 20, Rate: 30, Tasks: 40, Rows: 50, Bytes: 60, Priority: 70, Schedules: 80}
		d.fine(d.tasks.SetCaps(ctx, "acme", all))
		limits(all)
		caps, err := d.tasks.Caps(ctx, "acme")
		d.fine(err)
		d.same(all, caps)
		for _, name := range tasks.LimitNames {
			above := all
			at, _ := above.Field(name)
			*at++
			var capped *tasks.CapError
			if err := d.tasks.SetLimits(ctx, "acme", above); !errors.As(err, &capped) || capped.What != name || capped.Most != *at-1 {
				d.Errorf("%s above: %v", name, err)
			}
		}
		limits(all)
		d.fine(d.tasks.SetLimits(ctx, "acme", tasks.Limits{Slots: 5}))
		own := all
		own.Slots = 5
		limits(own)
		d.fine(d.tasks.SetCaps(ctx, "acme", tasks.Limits{Slots: 100, Rate: 7}))
		limits(tasks.Limits{Slots: 5, Rate: 7})
		d.fine(d.tasks.SetCaps(ctx, "acme", tasks.Limits{Slots: 3}))
		limits(tasks.Limits{Slots: 3})
		if err := d.tasks.SetCaps(ctx, "acme", tasks.Limits{Slots: -1}); !errors.Is(err, tasks.ErrLimits) {
			d.Errorf("a negative cap: %v", err)
		}
	})
}

// TestStop_Tenant_IsResumedByTheOwnerAlone: the tenant cannot end a pause by the owner.
func TestStop_Tenant_IsResumedByTheOwnerAlone(t *testing.T) {
	on(t, func(d *desk) {
		ctx := d.Context()
		state := func(want tasks.TenantState) {
			d.Helper()
			got, err := d.tasks.TenantState(ctx, "acme")
			d.fine(err)
			d.same(want, got)
		}
		d.fine(d.tasks.StopTenant(ctx, "acme", true))
		state(tasks.TenantState{Paused: true, Stopped: true})
		if err := d.tasks.PauseTenant(ctx, "acme", false); !errors.Is(err, tasks.ErrStopped) {
			d.Errorf("the tenant resumes: %v", err)
		}
		d.fine(d.tasks.PauseTenant(ctx, "acme", true))
		state(tasks.TenantState{Paused: true, Stopped: true})
		d.fine(d.tasks.StopTenant(ctx, "acme", false))
		state(tasks.TenantState{})
		d.fine(d.tasks.PauseTenant(ctx, "acme", true))
		state(tasks.TenantState{Paused: true})
		d.fine(d.tasks.StopTenant(ctx, "acme", false))
		state(tasks.TenantState{})
	})
}
