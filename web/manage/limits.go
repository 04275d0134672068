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

// CheckTenant returns the tenant that a path names, or problem.ErrNotFound if the caller must not act on it.
// The owner may act on any tenant with a valid name, and other callers on their own.
func (s *Service) CheckTenant(ctx context.Context, tenant string) (string, error) {
	if tenant == auth.Tenant(ctx) || auth.Caller(ctx).May(access.ServiceRead) && access.ValidTenant(tenant) {
		return tenant, nil
	}
	return "", problem.ErrNotFound
}

// ListedTenant returns the tenant whose items a list shows: the caller's tenant or, for the owner, the
// requested one. If another caller requests another tenant, it returns problem.ErrNotFound.
func (s *Service) ListedTenant(ctx context.Context, requested string) (string, error) {
	own := auth.Tenant(ctx)
	if requested == "" || requested == own {
		return own, nil
	}
	if auth.Caller(ctx).May(access.ServiceRead) && access.ValidTenant(requested) {
		return requested, nil
	}
	return "", problem.ErrNotFound
}

// SetTenant changes the settings of a tenant and adds an audit entry. The owner sets the allowed limits of
// the tenant, its weight and its run hours. An operator sets the tenant's own limits, which must not exceed
// the allowed limits. The weight stays unchanged if l.Weight is 0, and the run hours if `hours` is nil.
// SetTenant does not check whether the caller may set the weight and the run hours.
func (s *Service) SetTenant(ctx context.Context, tenant string, l tasks.Limits, hours *string) error {
	c := tasks.TenantChange{Limits: l, Caps: auth.Caller(ctx).May(access.ServiceWrite), Weight: l.Weight, Hours: hours}
	if !c.Caps {
		usual := tasks.Limits{Rate: int64(s.RateLimit), Schedules: tasks.MaxSchedules}
		if err := s.Tasks.WithinCaps(ctx, tenant, l, usual); err != nil {
			return err
		}
	}
	note := tenantNote{view.OfLimits(l), l.Weight, hours}
	if _, err := s.NoteOn(ctx, tenant, "limits", note, 1); err != nil {
		return err
	}
	return s.Tasks.SetTenant(ctx, tenant, c)
}

// tenantNote is the request in the audit entry of a change of a tenant's settings.
type tenantNote struct {
	view.Limits
	Weight int64   `json:"weight,omitempty"`
	Hours  *string `json:"run_hours,omitempty"`
}

// ParseLimits reads limits from a JSON object with one number for each limit, among them the
// weight. A missing limit is 0. ParseLimits returns a problem for an unknown name or an invalid
// limit.
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
		if at == nil {
			return tasks.Limits{}, BadLimits("/"+problem.Pointer(name), fmt.Sprintf("There is no limit %.100q.", name))
		}
		if *at, err = parseLimit(name, n, most); err != nil {
			return tasks.Limits{}, err
		}
	}
	return l, nil
}

// parseLimit reads one limit. It returns an error unless the limit is a whole number from 0 to
// `most`. For nil, it returns 0, which means that the limit is not set.
func parseLimit(name string, n *json.Number, most int64) (int64, error) {
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

// BadLimits returns the problem of invalid limits.
func BadLimits(pointer, detail string) *problem.Problem {
	return problem.New(http.StatusUnprocessableEntity, "INVALID_LIMITS", detail).At(pointer)
}
