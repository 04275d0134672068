package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/set_weight.sql
var setWeightSQL string

// MaxWeight is the greatest weight of a tenant.
const MaxWeight = 1000

// SetWeight sets the share that a tenant gets while others wait: of file reading, export
// planning and merging, of the rows of a kind that start, and of tries of callbacks and
// webhooks. The default is 1. Work that has begun is not affected, nor are rows in Redis. SetWeight returns ErrLimits if weight is below 1 or above MaxWeight.
func (s *Store) SetWeight(ctx context.Context, tenant string, weight int64) error {
	if weight < 1 || weight > MaxWeight {
		return fmt.Errorf("tasks: weight of %q: %w: %d", tenant, ErrLimits, weight)
	}
	return s.exec(ctx, "set weight", setWeightSQL, ledger.Args{
		"tenant": tenant, "weight": weight, "now": s.now().UnixMilli(),
	})
}
