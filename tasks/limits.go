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

// MaxLimit is the greatest value of a limit, MaxQuota that of Rows and Bytes, MaxPriority that
// of Priority, and MostSchedules that of Schedules.
const (
	MaxLimit      = 1_000_000
	MaxQuota      = 1 << 50
	MaxPriority   = 1000
	MostSchedules = 10_000
)

// ErrLimits means that a limit is negative or over its greatest value.
var ErrLimits = errors.New("no such limits")

// CapError means that a tenant wants more than the owner of the service allows.
type CapError struct {
	What string // one of LimitNames
	Most int64  // what the owner allows
}

// Error names the limit.
func (e *CapError) Error() string {
	return fmt.Sprintf("the owner allows %s of at most %d", e.What, e.Most)
}

// Limits is what a tenant may use. The zero value is no limit of its own.
type Limits struct {
	// Slots is the most jobs of the tenant that may be in Redis or running at
	// once, over all kinds; 0 is any number. A job that has held its slot for
	// too long does not count: see feed.Options.
	Slots int64

	// Window is the most jobs of one kind that may be in Redis at once; 0 is
	// the service's own window, which it cannot exceed.
	Window int64

	// Rate is how many requests of all credentials of the tenant are answered in a minute;
	// 0 is the service's own number.
	Rate int64

	// Tasks is the most tasks that are not done, Rows the most rows that are
	// not at rest, Bytes the most bytes of uploads that are kept; 0 is any
	// number. See Room and Terms.
	Tasks, Rows, Bytes int64

	// Priority is the highest priority of new tasks; 0 is MaxPriority.
	Priority int64

	// Schedules is the most schedules; 0 is MaxSchedules.
	Schedules int64

	// Weight is the share of the tenant while others wait; 0 is 1. SetLimits does not
	// change it: see SetWeight.
	Weight int64
}

// LimitNames are the names that Field takes.
var LimitNames = [...]string{"slots", "window", "rate", "tasks", "rows", "bytes", "priority", "schedules"}

// Field returns a limit by its name, and its greatest value; nil if there is none of the name.
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

// args returns the limits of a tenant as a statement takes them.
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

// MaxSchedules is how many schedules a tenant may have that has no limit of its own.
const MaxSchedules = 100

// SetLimits changes those of a tenant, for its operators. A limit of 0 becomes what the owner
// allows. Feeders apply it from their next poll on; jobs in Redis stay there.
// ErrLimits if one is out of range, a CapError if it is above what the owner allows.
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

// dated adds the time to arguments.
func (s *Store) dated(args ledger.Args) ledger.Args {
	args["now"] = s.now().UnixMilli()
	return args
}
