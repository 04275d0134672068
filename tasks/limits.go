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

// The greatest values of limits: MaxQuota for Rows and Bytes, MaxPriority for Priority, MostSchedules
// for Schedules, and MaxLimit for all others. Weight has MaxWeight.
const (
	MaxLimit      = 1_000_000
	MaxQuota      = 1 << 50
	MaxPriority   = 1000
	MostSchedules = 10_000
)

// ErrLimits means that a limit is negative or over its greatest value.
var ErrLimits = errors.New("no such limits")

// CapError means that a limit is above the cap that the owner of the service sets.
type CapError struct {
	What string // one of LimitNames
	Most int64  // the cap
}

// Error names the limit.
func (e *CapError) Error() string {
	return fmt.Sprintf("the owner allows %s of at most %d", e.What, e.Most)
}

// Limits holds the limits of a tenant. The zero value sets none; those of the service then apply.
type Limits struct {
	// Slots is the most jobs of the tenant that may be in Redis or running at once, over all kinds; 0
	// means no limit. A job that has held its slot for too long does not count: see feed.Options.
	Slots int64

	// Window is the most jobs of one kind that may be in Redis at once; 0 means the window of the
	// service, which is also the maximum.
	Window int64

	// Rate is the most requests per minute over all credentials of the tenant; 0 means the rate of the
	// service.
	Rate int64

	// Tasks is the most tasks that are not done, Rows the most rows that are not at rest, Bytes the
	// most bytes of stored uploads; 0 means no limit. See Room and Terms.
	Tasks, Rows, Bytes int64

	// Priority is the highest priority of new tasks; 0 is MaxPriority.
	Priority int64

	// Schedules is the most schedules; 0 is MaxSchedules.
	Schedules int64

	// Weight is the share of the tenant while other tenants wait; 0 means 1. Only SetWeight changes
	// it.
	Weight int64
}

// LimitNames lists the names that Field accepts.
var LimitNames = [...]string{"slots", "window", "rate", "tasks", "rows", "bytes", "priority", "schedules"}

// Field returns a limit by its name, and its greatest value; at is nil for an unknown name.
func (l *Limits) Field(name string) (at *int64, most int64) {
	switch name {
	case "slots":
		return &l.Slots, MaxLimit
	case "window":
		return &l.Window, MaxLimit
	case "rate":
		return &l.Rate, MaxLimit
	case "tasks":
		return &l.Tasks, MaxLimit
	case "rows":
		return &l.Rows, MaxQuota
	case "bytes":
		return &l.Bytes, MaxQuota
	case "priority":
		return &l.Priority, MaxPriority
	case "schedules":
		return &l.Schedules, MostSchedules
	}
	return nil, 0
}

// check returns ErrLimits if a limit is out of range.
func (l Limits) check() error {
	for _, name := range LimitNames {
		if at, most := l.Field(name); *at < 0 || *at > most {
			return fmt.Errorf("%w: %s of %d", ErrLimits, name, *at)
		}
	}
	return nil
}

// args returns the limits of a tenant as arguments of a statement.
func (l Limits) args(tenant string) ledger.Args {
	return ledger.Args{
		"tenant": tenant, "slots": l.Slots, "window": l.Window, "rate": l.Rate, "tasks": l.Tasks,
		"jobs": l.Rows, "bytes": l.Bytes, "priority": l.Priority, "schedules": l.Schedules,
	}
}

// Limits returns the limits of a tenant; the zero value if none were set.
func (s *Store) Limits(ctx context.Context, tenant string) (l Limits, err error) {
	l, err = limitsOf(ctx, s.db.Reader(), tenant)
	if err != nil {
		return Limits{}, fmt.Errorf("tasks: limits of %q: %w", tenant, err)
	}
	return l, nil
}

func limitsOf(ctx context.Context, tx ledger.Tx, tenant string) (l Limits, err error) {
	_, err = ledger.Row(ctx, tx, limitsSQL, ledger.Args{"tenant": tenant},
		&l.Slots, &l.Window, &l.Rate, &l.Tasks, &l.Rows, &l.Bytes, &l.Priority, &l.Schedules, &l.Weight)
	return l, err
}

// MaxSchedules is the most schedules of a tenant without a limit on schedules.
const MaxSchedules = 100

// SetLimits changes the limits of a tenant, for its operators. A limit of 0 becomes the cap. Feeders
// apply the limits from their next poll on; jobs in Redis stay there. SetLimits returns ErrLimits for
// a limit out of range, and a CapError for a limit above its cap.
func (s *Store) SetLimits(ctx context.Context, tenant string, l Limits) error {
	err := l.check()
	if err == nil {
		err = s.WithinCaps(ctx, tenant, l, Limits{Schedules: MaxSchedules})
	}
	if err != nil {
		return fmt.Errorf("tasks: limits of %q: %w", tenant, err)
	}
	return s.exec(ctx, "set limits", setLimitsSQL, s.dated(l.args(tenant)))
}

// dated adds the current time to arguments.
func (s *Store) dated(args ledger.Args) ledger.Args {
	args["now"] = s.now().UnixMilli()
	return args
}
