package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/limits.sql
	limitsSQL string
	//go:embed sql/set_limits.sql
	setLimitsSQL string
)

// MaxLimit is the greatest value of a limit, MaxQuota that of Rows and Bytes.
const (
	MaxLimit = 1_000_000
	MaxQuota = 1 << 50
)

// ErrLimits means that a limit is negative or over MaxLimit.
var ErrLimits = errors.New("no such limits")

// Limits is what a tenant may use. The zero value is no limit of its own.
type Limits struct {
	// Slots is the most jobs of the tenant that may be in Redis or running at
	// once, over all kinds; 0 is any number. A job that has held its slot for
	// too long does not count: see dispatch.Options.
	Slots int64

	// Window is the most jobs of one kind that may be in Redis at once; 0 is
	// the service's own window, which it cannot exceed.
	Window int64

	// Rate is how many requests of one credential are answered in a minute; 0
	// is the service's own number.
	Rate int64

	// Tasks is the most tasks that are not done, Rows the most rows that are
	// not at rest, Bytes the most bytes of uploads that are kept; 0 is any
	// number. See Room and Terms.
	Tasks, Rows, Bytes int64

	// Weight is the share of the tenant while others wait; 0 is 1. SetLimits does not
	// change it: see SetWeight.
	Weight int64
}

// Limits returns those of a tenant; one that was never given any has none.
func (s *Store) Limits(ctx context.Context, tenant string) (l Limits, err error) {
	l, err = limitsOf(ctx, s.db.Reader(), tenant)
	if err != nil {
		return Limits{}, fmt.Errorf("tasks: limits of %q: %w", tenant, err)
	}
	return l, nil
}

func limitsOf(ctx context.Context, tx ledger.Tx, tenant string) (l Limits, err error) {
	_, err = ledger.Row(ctx, tx, limitsSQL, ledger.Args{"tenant": tenant},
		&l.Slots, &l.Window, &l.Rate, &l.Tasks, &l.Rows, &l.Bytes, &l.Weight)
	return l, err
}

// SetLimits changes those of a tenant. Feeders obey from their next look on;
// what is in Redis already is not taken back. ErrLimits if one is out of range.
func (s *Store) SetLimits(ctx context.Context, tenant string, l Limits) error {
	if min(l.Slots, l.Window, l.Rate, l.Tasks, l.Rows, l.Bytes) < 0 ||
		max(l.Slots, l.Window, l.Rate, l.Tasks) > MaxLimit || max(l.Rows, l.Bytes) > MaxQuota {
		return fmt.Errorf("tasks: limits of %q: %w: %+v", tenant, ErrLimits, l)
	}
	return s.exec(ctx, "set limits", setLimitsSQL, ledger.Args{
		"tenant": tenant, "slots": l.Slots, "window": l.Window, "rate": l.Rate, "tasks": l.Tasks,
		"jobs": l.Rows, "bytes": l.Bytes, "now": s.now().UnixMilli(),
	})
}
