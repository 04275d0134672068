package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/pause_tenant.sql
	pauseTenantSQL string
	//go:embed sql/stop_tenant.sql
	stopTenantSQL string
	//go:embed sql/stir_tenant.sql
	stirTenantSQL string
	//go:embed sql/set_hours.sql
	setHoursSQL string
	//go:embed sql/tenant_paused.sql
	tenantPausedSQL string
)

// ErrStopped means that the owner of the service has paused a tenant. Operators of the tenant cannot
// resume it.
var ErrStopped = errors.New("the owner has paused the tenant")

// TenantState holds the pauses and the run hours of a tenant.
type TenantState struct {
	Paused  bool // no rows of the tenant are fed
	Stopped bool // paused by the owner of the service: only the owner can resume it

	Hours string // as in Limits
}

// PauseTenant pauses or resumes the feeding of all present and future tasks of a tenant. During a pause,
// tasks are still created, files are read, and jobs already in Redis run. A task that is paused itself
// stays paused after the tenant is resumed. Feeders apply the change at their next poll. A repeated call
// has no effect. A resume returns ErrStopped if the owner of the service has paused the tenant.
func (s *Store) PauseTenant(ctx context.Context, tenant string, paused bool) error {
	state, err := s.TenantState(ctx, tenant)
	if err == nil && state.Stopped && !paused {
		err = fmt.Errorf("tasks: pause tenant %q: %w", tenant, ErrStopped)
	}
	if err != nil {
		return err
	}
	return s.controlTenant(ctx, tenant, pauseTenantSQL, ledger.Args{"paused": paused})
}

// StopTenant is like PauseTenant, on behalf of the owner of the service. Operators of the tenant
// cannot end this pause.
func (s *Store) StopTenant(ctx context.Context, tenant string, stopped bool) error {
	return s.controlTenant(ctx, tenant, stopTenantSQL, ledger.Args{"stopped": stopped})
}

// controlTenant runs a statement that pauses or resumes a tenant.
func (s *Store) controlTenant(ctx context.Context, tenant, text string, args ledger.Args) error {
	args["tenant"] = tenant
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		now := s.now().UnixMilli()
		if err := LockLanes(ctx, tx, tenant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, stirTenantSQL, ledger.Args{"tenant": tenant, "now": now}); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, text, s.dated(args))
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: pause tenant %q: %w", tenant, err)
	}
	return nil
}

// TenantState returns the pauses and the run hours of a tenant.
func (s *Store) TenantState(ctx context.Context, tenant string) (TenantState, error) {
	state, err := tenantState(ctx, s.db.Reader(), tenant)
	if err != nil {
		return state, fmt.Errorf("tasks: whether %q is paused: %w", tenant, err)
	}
	return state, nil
}

func tenantState(ctx context.Context, tx ledger.Tx, tenant string) (state TenantState, err error) {
	_, err = ledger.Row(ctx, tx, tenantPausedSQL, ledger.Args{"tenant": tenant}, &state.Paused, &state.Stopped, &state.Hours)
	return state, err
}

// runHours holds the parts of the day in which rows are fed.
type runHours struct {
	kinds  map[string]cron.Hours
	parsed sync.Map // parsed hours of tenants, by their text
}

// Opens returns the next time that is within the run hours of both a kind and a tenant, or zero during
// these hours. If the run hours never overlap, it returns the beginning of one of them. The argument
// `hours` is the text of the tenant's hours.
func (s *Store) Opens(kind, hours string) time.Time {
	ofKind := s.hours.kinds[kind]
	if hours == "" && ofKind == (cron.Hours{}) {
		return time.Time{}
	}
	return cron.OpenTogether(s.now(), ofKind, s.hours.tenant(hours))
}

// Opened returns when the run hours of a kind or of a tenant last began, whichever is later. It returns
// zero if both are the whole day.
func (s *Store) Opened(kind, hours string) time.Time {
	now := s.now()
	ofKind, ofTenant := s.hours.kinds[kind].Opened(now), s.hours.tenant(hours).Opened(now)
	if ofTenant.After(ofKind) {
		return ofTenant
	}
	return ofKind
}

// closed reports whether the current time is outside the run hours of a kind or of a tenant.
func (s *Store) closed(kind, hours string) bool { return !s.Opens(kind, hours).IsZero() }

// tenant parses the hours of a tenant. SetHours has validated them; an invalid text means the whole day.
func (h *runHours) tenant(text string) cron.Hours {
	if text == "" {
		return cron.Hours{}
	}
	if known, ok := h.parsed.Load(text); ok {
		return known.(cron.Hours)
	}
	hours, err := cron.ParseHours(text)
	if err != nil {
		return cron.Hours{}
	}
	h.parsed.Store(text, hours)
	return hours
}

func (h *runHours) names() []string { return slices.AppendSeq([]string{}, maps.Keys(h.kinds)) }

// SetHours sets the part of the day in which rows of a tenant are fed, such as
// "22:00-06:00 Europe/Berlin". "" means the whole day. At other times, no rows of the tenant are fed, as
// during a pause. SetHours returns ErrLimits if the text is invalid.
func (s *Store) SetHours(ctx context.Context, tenant, hours string) error {
	if err := checkHours(hours); err != nil {
		return fmt.Errorf("tasks: hours of %q: %w", tenant, err)
	}
	return s.exec(ctx, "set hours", setHoursSQL, s.dated(ledger.Args{"tenant": tenant, "hours": hours}))
}

func checkHours(hours string) error {
	if _, err := cron.ParseHours(hours); err != nil {
		return fmt.Errorf("%w: %w", ErrLimits, err)
	}
	return nil
}
