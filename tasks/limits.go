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

// These are the maximum values of limits. MaxQuota applies to Rows and Bytes, MaxPriority to Priority,
// and MostSchedules to Schedules. MaxLimit applies to Slots, Window, Rate and Tasks.
const (
	MaxLimit      = 1_000_000
	MaxQuota      = 1 << 50
	MaxPriority   = 1000
	MostSchedules = 10_000
)

// ErrLimits means that a limit is below its least or above its greatest value, or that run hours
// are malformed.
var ErrLimits = errors.New("invalid limits")

// CapError is the error of a limit above its cap. The owner of the service sets the caps. Without a cap,
// the default of the service is the maximum.
type CapError struct {
	What string // one of LimitNames
	Most int64  // the cap
}

// Error returns a text with the name of the limit and the cap.
func (e *CapError) Error() string {
	return fmt.Sprintf("the owner allows %s of at most %d", e.What, e.Most)
}

// Limits holds the limits of a tenant. A limit of 0 is not set; the default of the service then
// applies.
type Limits struct {
	// Slots is the maximum number of jobs of the tenant, over all kinds, that may be in Redis or running
	// at once. 0 means no limit. A job that has held its slot for more than six hours is not included.
	Slots int64

	// Window is the maximum number of jobs of one kind of the tenant that may be in Redis at once. 0
	// means the window of the service. A greater window than that has no effect.
	Window int64

	// Rate is the maximum number of requests per minute over all credentials of the tenant. 0 means the
	// default rate of the service.
	Rate int64

	// Tasks is the maximum number of tasks that are not done. Rows is the maximum number of rows that
	// are not at rest. Bytes is the maximum size of the stored files. 0 means no limit. CheckQuota,
	// WithinRows, WithinQuotas and Terms.Quotas apply these quotas.
	Tasks, Rows, Bytes int64

	// Priority is the highest priority of new tasks. 0 means MaxPriority.
	Priority int64

	// Schedules is the maximum number of schedules of the tenant. 0 means MaxSchedules.
	Schedules int64

	// Weight determines the tenant's share of the work while other tenants wait. 0 means 1. SetWeight
	// sets it. SetLimits does not change it.
	Weight int64

	// Hours is the part of the day in which rows of the tenant are fed. "" means the whole day.
	// SetHours sets it. SetLimits does not change it.
	Hours string
}

// LimitNames lists the names that Field accepts.
var LimitNames = [...]string{"slots", "window", "rate", "tasks", "rows", "bytes", "priority", "schedules"}

// Field returns a pointer to the limit with the given name, and its maximum value. For an unknown name,
// and for Weight and Hours, the pointer is nil.
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

func (l Limits) args(tenant string) ledger.Args {
	return ledger.Args{
		"tenant": tenant, "slots": l.Slots, "window": l.Window, "rate": l.Rate, "tasks": l.Tasks,
		"jobs": l.Rows, "bytes": l.Bytes, "priority": l.Priority, "schedules": l.Schedules,
	}
}

// Limits returns the limits of a tenant, or the zero value if none were set.
func (s *Store) Limits(ctx context.Context, tenant string) (l Limits, err error) {
	return s.LimitsIn(ctx, s.db.Reader(), tenant)
}

// LimitsIn is like Limits, in a transaction.
func (s *Store) LimitsIn(ctx context.Context, tx ledger.Tx, tenant string) (l Limits, err error) {
	l, err = limitsOf(ctx, tx, tenant)
	if err != nil {
		return Limits{}, fmt.Errorf("tasks: limits of %q: %w", tenant, err)
	}
	return l, nil
}

func limitsOf(ctx context.Context, tx ledger.Tx, tenant string) (l Limits, err error) {
	_, err = ledger.Row(ctx, tx, limitsSQL, ledger.Args{"tenant": tenant},
		&l.Slots, &l.Window, &l.Rate, &l.Tasks, &l.Rows, &l.Bytes, &l.Priority, &l.Schedules, &l.Weight, &l.Hours)
	return l, err
}

// MaxSchedules is the maximum number of schedules of a tenant without a limit on schedules.
const MaxSchedules = 100

// SetLimits sets the limits of a tenant, on behalf of its operators. A limit of 0 becomes the cap.
// Feeders apply the limits at their next poll, and do not remove jobs that are already in Redis.
// SetLimits returns ErrLimits for a limit out of range, and a *CapError for a limit above its cap.
func (s *Store) SetLimits(ctx context.Context, tenant string, l Limits) error {
	return s.SetTenant(ctx, tenant, TenantChange{Limits: l})
}

// dated adds the current time as `now` to the arguments of a statement.
func (s *Store) dated(args ledger.Args) ledger.Args {
	args["now"] = s.now().UnixMilli()
	return args
}
