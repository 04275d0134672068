package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/set_weight.sql
	setWeightSQL string
	//go:embed sql/weights.sql
	weightsSQL string
)

// Weights holds the weights that determine a tenant's share of the workers of a kind.
type Weights struct {
	Others int64 // other tenants with new or resubmitted rows to push
	Weight int64 // of the tenant
	All    int64 // sum of the weights of the tenant and the others
}

// Part returns the tenant's share of the rows that start, in percent, rounded; at least 1.
func (t Weights) Part() int64 { return max((200*t.Weight+t.All)/(2*t.All), 1) }

// WeightsOf returns the weights that determine a tenant's share of the workers of a kind. It includes
// other tenants that have rows of the kind to push, are not paused, and are within their run hours.
func (s *Store) WeightsOf(ctx context.Context, tenant, kind string) (t Weights, err error) {
	args := ledger.Args{"tenant": tenant, "kind": kind}
	err = s.db.Reader().Query(ctx, weightsSQL, args, func(scan ledger.Scan) error {
		var hours string
		var n, weight int64
		err := scan(&hours, &n, &weight)
		switch {
		case n == 0:
			t.Weight, t.All = weight, t.All+weight
		case !s.closed(kind, hours):
			t.Others, t.All = t.Others+n, t.All+weight
		}
		return err
	})
	if err != nil {
		return t, fmt.Errorf("tasks: weights of %q: %w", tenant, err)
	}
	return t, nil
}

// MaxWeight is the greatest weight of a tenant.
const MaxWeight = 1000

// SetWeight sets the weight of a tenant: its share while other tenants wait. The weight applies to
// reading files, planning and merging exports, starting rows of a kind, and delivering callbacks and
// webhooks. The default is 1. Work that has begun and rows in Redis are not affected. SetWeight returns
// ErrLimits if `weight` is below 1 or above MaxWeight.
func (s *Store) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if err := checkWeight(weight); err != nil {
		return fmt.Errorf("tasks: weight of %q: %w", tenant, err)
	}
	return s.exec(ctx, "set weight", setWeightSQL, s.dated(ledger.Args{"tenant": tenant, "weight": weight}))
}

func checkWeight(weight int64) error {
	if weight < 1 || weight > MaxWeight {
		return fmt.Errorf("%w: weight of %d", ErrLimits, weight)
	}
	return nil
}

// TenantChange holds changes of a tenant's settings. SetTenant makes all of them in one transaction.
type TenantChange struct {
	Limits Limits  // the new limits; Limits.Weight and Limits.Hours have no effect
	Caps   bool    // Limits are the caps, which the owner of the service sets
	Weight int64   // share while other tenants wait; 0: the weight stays unchanged
	Hours  *string // the run hours; nil: they stay unchanged
}

// SetTenant changes the settings of a tenant in one transaction. It changes the caps if c.Caps is true, and
// otherwise the limits. It returns ErrLimits for a value out of range, and a *CapError for a limit above
// its cap.
func (s *Store) SetTenant(ctx context.Context, tenant string, c TenantChange) error {
	err := c.check()
	if err == nil && !c.Caps {
		err = s.WithinCaps(ctx, tenant, c.Limits, Limits{Schedules: MaxSchedules})
	}
	if err == nil {
		err = s.db.InTx(ctx, func(tx ledger.Tx) error { return s.set(ctx, tx, tenant, c) })
	}
	if err != nil {
		return fmt.Errorf("tasks: limits of %q: %w", tenant, err)
	}
	return nil
}

// check returns ErrLimits if a value is out of range.
func (c *TenantChange) check() error {
	err := c.Limits.check()
	if err == nil && c.Weight != 0 {
		err = checkWeight(c.Weight)
	}
	if err == nil && c.Hours != nil {
		err = checkHours(*c.Hours)
	}
	return err
}

func (s *Store) set(ctx context.Context, tx ledger.Tx, tenant string, c TenantChange) error {
	text := setLimitsSQL
	if c.Caps {
		text = setCapsSQL
	}
	_, err := tx.Exec(ctx, text, s.dated(c.Limits.args(tenant)))
	if err == nil && c.Weight != 0 {
		_, err = tx.Exec(ctx, setWeightSQL, s.dated(ledger.Args{"tenant": tenant, "weight": c.Weight}))
	}
	if err == nil && c.Hours != nil {
		_, err = tx.Exec(ctx, setHoursSQL, s.dated(ledger.Args{"tenant": tenant, "hours": *c.Hours}))
	}
	return err
}
