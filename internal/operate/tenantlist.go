package operate

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/tenants.sql
	tenantsSQL string
	//go:embed sql/tenant_faults.sql
	tenantFaultsSQL string
	//go:embed sql/service_faults.sql
	serviceFaultsSQL string
	//go:embed sql/tenant_known.sql
	tenantKnownSQL string
)

// Tenant is a tenant with its limits and their use.
type Tenant struct {
	Name   string
	Limits tasks.Limits
	Caps   tasks.Limits // limits set by the owner of the service
	State  tasks.TenantState
	Use    tasks.Usage
	Queued int64 // rows in Redis or running; Limits.Slots bounds their number
}

// By returns a copy of x that names another actor in the audit log.
func (x *Tenants) By(actor string) *Tenants {
	own := *x
	own.actor, own.tasks = actor, x.tasks.As(actor)
	return &own
}

// List returns up to `limit` tenants that have tasks, limits or API keys, sorted by name. It begins after
// the name in the argument `after`, or at the first tenant if `after` is "". The cost grows with `limit` and
// with the unfinished tasks of these tenants.
func (x *Tenants) List(ctx context.Context, after string, limit int) ([]Tenant, error) {
	args := ledger.Args{"after": after, "most": limit}
	list, err := ledger.List(ctx, x.db.Reader(), tenantsSQL, args, func(scan ledger.Scan, t *Tenant) error { return scan(&t.Name) })
	for i := 0; i < len(list) && err == nil; i++ {
		list[i], err = x.Get(ctx, list[i].Name)
	}
	if err != nil {
		return nil, fmt.Errorf("operate: list tenants: %w", err)
	}
	return list, nil
}

// Known reports whether a tenant has tasks, limits or API keys.
func (x *Tenants) Known(ctx context.Context, name string) (bool, error) {
	var n int64
	_, err := ledger.Row(ctx, x.db.Reader(), tenantKnownSQL, ledger.Args{"tenant": name}, &n)
	if err != nil {
		return false, fmt.Errorf("operate: tenant %q: %w", name, err)
	}
	return n > 0, nil
}

// FaultRows counts the rows in error by kind, in the newest tasks of a tenant. The argument `most` is
// the number of these tasks. Skipped rows do not count. Rows without a fingerprint of the error do not
// count, either: an operator has moved their key to the morgue, for example.
func (x *Tenants) FaultRows(ctx context.Context, tenant string, most int) (map[string]int64, error) {
	rows, args := map[string]int64{}, ledger.Args{"tenant": tenant, "most": most}
	_, err := ledger.List(ctx, x.db.Reader(), tenantFaultsSQL, args, func(scan ledger.Scan, n *int64) error {
		var kind string
		err := scan(&kind, n)
		rows[kind] = *n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("operate: rows in error of %q: %w", tenant, err)
	}
	return rows, nil
}

// TenantFaults is the number of rows in error of one tenant and kind.
type TenantFaults struct {
	Tenant, Kind string
	Rows         int64
}

// ServiceFaultRows counts the rows in error by tenant and kind. For each of the first `tenants` tenants
// with such rows, it reads at most `most` imports with such rows. It also reads the newest tasks of all
// tenants, at most `newest`. Like FaultRows, it does not count skipped rows, nor rows without a
// fingerprint. The list is sorted by tenant.
func (x *Tenants) ServiceFaultRows(ctx context.Context, tenants, most, newest int) ([]TenantFaults, error) {
	args := ledger.Args{"tenants": tenants, "most": most, "newest": newest}
	list, err := ledger.List(ctx, x.db.Reader(), serviceFaultsSQL, args,
		func(scan ledger.Scan, f *TenantFaults) error { return scan(&f.Tenant, &f.Kind, &f.Rows) })
	if err != nil {
		return nil, fmt.Errorf("operate: rows in error of all tenants: %w", err)
	}
	return list, nil
}

// Get returns a tenant. For an unknown tenant, the limits are empty.
func (x *Tenants) Get(ctx context.Context, name string) (t Tenant, err error) {
	t.Name = name
	if t.Limits, err = x.tasks.Limits(ctx, name); err != nil {
		return t, err
	}
	if t.Caps, err = x.tasks.Caps(ctx, name); err != nil {
		return t, err
	}
	if t.State, err = x.tasks.TenantState(ctx, name); err != nil {
		return t, err
	}
	if t.Use, err = x.tasks.Used(ctx, name); err != nil {
		return t, err
	}
	work, err := x.tasks.CountedTenant(ctx, name)
	t.Queued = work.Value.Queued
	return t, err
}

// NoteExport adds entries about an export of the tenant's records to the audit logs of the tenant and of the
// owner.
func (x *Tenants) NoteExport(ctx context.Context, tenant string) error {
	_, err := x.note(ctx, audit.Entry{Act: "export-tenant", Target: tenant, Touched: 1})
	return err
}

// note adds an entry about a tenant to the audit logs of the tenant and of the owner. The owner's
// log remains after the tenant is removed. note returns the numbers of both entries.
func (x *Tenants) note(ctx context.Context, e audit.Entry) (nums [2]int64, err error) {
	e.Actor = x.actor
	for i, subject := range []string{audit.Operators(e.Target), audit.Owner()} {
		if e.Subject = subject; err == nil {
			nums[i], err = x.log.Begin(ctx, e)
		}
	}
	return nums, err
}
