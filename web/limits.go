package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// limitedTenant returns the tenant that the path names: that of the caller, or any for the
// owner.
func (s *Server) limitedTenant(c *gin.Context) (string, error) {
	tenant := c.Param("tenant")
	if tenant == s.tenant(c) || caller(c).May(access.ServiceRead) && access.ValidTenant(tenant) {
		return tenant, nil
	}
	return "", problem.ErrNotFound
}

// askedTenant returns the tenant that a list is about: that of the caller, or for the owner the
// one that the parameter names.
func (s *Server) askedTenant(c *gin.Context) (string, error) {
	own, asked := s.tenant(c), c.Query("tenant")
	if asked == "" || asked == own {
		return own, nil
	}
	if caller(c).May(access.ServiceRead) && access.ValidTenant(asked) {
		return asked, nil
	}
	return "", problem.ErrNotFound
}

// getLimits serves GET /tenants/{t}/limits.
func (s *Server) getLimits(c *gin.Context) error {
	tenant, err := s.limitedTenant(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	l, err := s.opt.Tasks.Limits(ctx, tenant)
	if err != nil {
		return err
	}
	caps, err := s.opt.Tasks.Caps(ctx, tenant)
	if err != nil {
		return err
	}
	state, err := s.opt.Tasks.TenantState(ctx, tenant)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, view.TenantLimits{Tenant: tenant, Limits: view.OfLimits(l), Allowed: view.OfLimits(caps), Weight: view.WeightOf(l), Paused: state.Paused, Stopped: state.Stopped})
	return nil
}

// putLimits serves PUT /tenants/{t}/limits. A limit that is left out is none, or for an
// operator of the tenant what the owner allows. Without a weight or a pause, these stay.
func (s *Server) putLimits(c *gin.Context) error {
	tenant, err := s.limitedTenant(c)
	if err != nil {
		return err
	}
	asked, err := taken[limitsRequest](c).read()
	if g := caller(c); err == nil && asked.Weight > 0 && !g.May(access.ServiceWrite) {
		err = missingScope(c, g, access.ServiceWrite)
	}
	if err == nil {
		err = s.mayTurn(c, tenant, asked.paused)
	}
	if err == nil {
		err = s.setLimits(c, tenant, asked.Limits)
	}
	if err == nil && asked.Weight > 0 {
		err = s.setWeight(c, tenant, asked.Weight)
	}
	if err == nil && asked.paused != nil {
		err = s.pauseTenant(c, tenant, *asked.paused)
	}
	if err != nil {
		return err
	}
	return s.getLimits(c)
}

// setLimits changes the limits of a tenant, and notes who did: the owner what it allows, an
// operator what the tenant has of that.
func (s *Server) setLimits(c *gin.Context, tenant string, l tasks.Limits) error {
	ctx, set := c.Request.Context(), s.opt.Tasks.SetCaps
	if !caller(c).May(access.ServiceWrite) {
		set = s.opt.Tasks.SetLimits
		usual := tasks.Limits{Rate: int64(s.opt.RateLimit), Schedules: tasks.MaxSchedules}
		if err := s.opt.Tasks.WithinCaps(ctx, tenant, l, usual); err != nil {
			return err
		}
	}
	if _, err := s.noteDeedOf(c, tenant, "limits", view.OfLimits(l), 1); err != nil {
		return err
	}
	return set(ctx, tenant, l)
}

// limitsRequest is the body of PUT /tenants/{t}/limits.
type limitsRequest struct {
	Slots     json.RawMessage `json:"slots"`
	Window    json.RawMessage `json:"window"`
	Rate      json.RawMessage `json:"rate"`
	Tasks     json.RawMessage `json:"tasks"`
	Rows      json.RawMessage `json:"rows"`
	Bytes     json.RawMessage `json:"bytes"`
	Priority  json.RawMessage `json:"priority"`
	Schedules json.RawMessage `json:"schedules"`
	Weight    json.RawMessage `json:"weight"`
	Paused    json.RawMessage `json:"paused"`
}

// limitsAsked is what a request asks for. A weight of 0 or a pause of nil was left out.
type limitsAsked struct {
	tasks.Limits
	paused *bool
}

// read returns what the request asks for.
func (r *limitsRequest) read() (asked limitsAsked, err error) {
	if r.Paused != nil && json.Unmarshal(r.Paused, &asked.paused) != nil {
		return asked, badLimits("/paused", "paused is true or false.")
	}
	in := map[string]json.RawMessage{}
	for name, raw := range map[string]json.RawMessage{
		"slots": r.Slots, "window": r.Window, "rate": r.Rate, "tasks": r.Tasks, "rows": r.Rows, "bytes": r.Bytes,
		"priority": r.Priority, "schedules": r.Schedules, "weight": r.Weight,
	} {
		if raw != nil {
			in[name] = raw
		}
	}
	numbers, err := json.Marshal(in)
	if err != nil {
		return asked, err
	}
	asked.Limits, err = parseLimits(numbers)
	return asked, err
}

// parseLimits reads one number for each limit; what is left out is none.
func parseLimits(text []byte) (l tasks.Limits, err error) {
	var in map[string]*json.Number
	if err := json.Unmarshal(text, &in); err != nil {
		return l, badLimits("", "Limits are numbers.")
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
		return 0, badLimits("/"+name, fmt.Sprintf(
			"%s is a whole number from 0, which is no limit, to %d.", name, most))
	}
	return v, nil
}

func badLimits(pointer, detail string) *problem.Problem {
	return problem.New(http.StatusUnprocessableEntity, "INVALID_LIMITS", detail).At(pointer)
}
