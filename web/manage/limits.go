package manage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// CheckTenant returns the tenant of a path if the caller may act on it: its own, or any for the
// owner.
func (s *Service) CheckTenant(ctx context.Context, tenant string) (string, error) {
	if tenant == auth.Tenant(ctx) || auth.Caller(ctx).May(access.ServiceRead) && access.ValidTenant(tenant) {
		return tenant, nil
	}
	return "", problem.ErrNotFound
}

// ListedTenant returns the tenant of a list: the caller's, or for the owner the requested one.
func (s *Service) ListedTenant(ctx context.Context, asked string) (string, error) {
	own := auth.Tenant(ctx)
	if asked == "" || asked == own {
		return own, nil
	}
	if auth.Caller(ctx).May(access.ServiceRead) && access.ValidTenant(asked) {
		return asked, nil
	}
	return "", problem.ErrNotFound
}

// SetLimits changes the limits of a tenant and notes the caller in the audit log. The owner sets the
// allowed limits; an operator sets the tenant's limits within these.
func (s *Service) SetLimits(ctx context.Context, tenant string, l tasks.Limits) error {
	ctx, set := ctx, s.Tasks.SetCaps
	if !auth.Caller(ctx).May(access.ServiceWrite) {
		set = s.Tasks.SetLimits
		usual := tasks.Limits{Rate: int64(s.RateLimit), Schedules: tasks.MaxSchedules}
		if err := s.Tasks.WithinCaps(ctx, tenant, l, usual); err != nil {
			return err
		}
	}
	if _, err := s.NoteOn(ctx, tenant, "limits", view.OfLimits(l), 1); err != nil {
		return err
	}
	return set(ctx, tenant, l)
}

// ParseLimits reads one number for each limit. A missing number means no limit.
func ParseLimits(text []byte) (l tasks.Limits, err error) {
	var in map[string]*json.Number
	if err := json.Unmarshal(text, &in); err != nil {
		return l, BadLimits("", "Limits are numbers.")
	}
	for name, n := range in {
		at, most := l.Field(name)
		if name == "weight" {
			at, most = &l.Weight, tasks.MaxWeight
		}
		if *at, err = limit(name, n, most); err != nil {
			return tasks.Limits{}, err
		}
	}
	return l, nil
}

// limit reads one number; nil is no limit.
func limit(name string, n *json.Number, most int64) (int64, error) {
	if n == nil {
		return 0, nil
	}
	v, err := n.Int64()
	if err != nil || v < 0 || v > most {
		return 0, BadLimits("/"+name, fmt.Sprintf(
			"%s is a whole number from 0, which is no limit, to %d.", name, most))
	}
	return v, nil
}

// BadLimits returns the problem of limits that a tenant cannot have.
func BadLimits(pointer, detail string) *problem.Problem {
	return problem.New(http.StatusUnprocessableEntity, "INVALID_LIMITS", detail).At(pointer)
}
