package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/weights.sql
var weightsSQL string

// Weights is how a tenant shares the workers of a kind with other tenants.
type Weights struct {
	Others int64 // tenants that have rows to push, too
	Weight int64 // of the tenant
	All    int64 // weights of the tenant and the others
}

// Part returns the part of the tenant in the rows that start, in percent, rounded; at least 1.
func (t Weights) Part() int64 { return max((200*t.Weight+t.All)/(2*t.All), 1) }

// WeightsOf returns how a tenant shares the workers of a kind.
func (s *Store) WeightsOf(ctx context.Context, tenant, kind string) (t Weights, err error) {
	args := ledger.Args{"tenant": tenant, "kind": kind}
	if _, err = ledger.Row(ctx, s.db.Reader(), weightsSQL, args, &t.Others, &t.All, &t.Weight); err != nil {
		return t, fmt.Errorf("tasks: weights of %q: %w", tenant, err)
	}
	t.All += t.Weight
	return t, nil
}
