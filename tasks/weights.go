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

// Weights holds the weights that decide a tenant's share of the workers of a kind.
type Weights struct {
	Others int64 // other tenants with rows to push
	Weight int64 // of the tenant
	All    int64 // sum of the weights of the tenant and the others
}

// Part returns the tenant's share of the rows that start, in percent, rounded; at least 1.
func (t Weights) Part() int64 { return max((200*t.Weight+t.All)/(2*t.All), 1) }

// WeightsOf returns the weights that decide a tenant's share of the workers of a kind.
func (s *Store) WeightsOf(ctx context.Context, tenant, kind string) (t Weights, err error) {
	args := ledger.Args{"tenant": tenant, "kind": kind}
	if _, err = ledger.Row(ctx, s.db.Reader(), weightsSQL, args, &t.Others, &t.All, &t.Weight); err != nil {
		return t, fmt.Errorf("tasks: weights of %q: %w", tenant, err)
	}
	t.All += t.Weight
	return t, nil
}

// MaxWeight is the greatest weight of a tenant.
const MaxWeight = 1000

// SetWeight sets the weight of a tenant, which decides its share while other tenants wait. It
// applies to reading files, planning and merging exports, starting rows of a kind, and delivering
// callbacks and webhooks. The default is 1. Work that has begun and rows in Redis are not affected.
// SetWeight returns ErrLimits if `weight` is below 1 or above MaxWeight.
func (s *Store) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if weight < 1 || weight > MaxWeight {
		return fmt.Errorf("tasks: weight of %q: %w: %d", tenant, ErrLimits, weight)
	}
	return s.exec(ctx, "set weight", setWeightSQL, ledger.Args{
		"tenant": tenant, "weight": weight, "now": s.now().UnixMilli(),
	})
}
