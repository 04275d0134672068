package api

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// listTenants serves GET /tenants.
func (s *Handlers) listTenants(c *gin.Context) error {
	limit, _, err := request.ParsePage(c.Query("limit"), "")
	if err != nil {
		return err
	}
	after, err := s.Cursors.UnsealText(c)
	if err != nil {
		return err
	}
	list, err := s.Manage.TenantsByCaller(c.Request.Context()).List(c.Request.Context(), string(after), limit+1)
	if err != nil {
		return err
	}
	list, next := view.Cut(list, limit, func(t *operate.Tenant) string { return t.Name })
	return request.AnswerPage(c, view.All(list, view.OfTenant), request.SealedText(c, next))
}

// pauseOrResumeTenant returns the handler of POST /tenants/{t}/pause or /resume.
func (s *Handlers) pauseOrResumeTenant(paused bool) route.Handler {
	return func(c *gin.Context) error {
		tenant, err := s.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
		if err == nil {
			err = s.Manage.PauseTenant(c.Request.Context(), tenant, paused)
		}
		if err != nil {
			return err
		}
		return s.getLimits(c)
	}
}

// exportTenant serves GET /tenants/{t}/export: the records of the tenant as one JSON object per line. Files
// are not included.
func (s *Handlers) exportTenant(c *gin.Context) error {
	tenant := c.Param("tenant")
	err := s.Manage.KnownTenant(c.Request.Context(), tenant)
	if err == nil {
		err = s.Manage.TenantsByCaller(c.Request.Context()).NoteExport(c.Request.Context(), tenant)
	}
	if err != nil {
		return err
	}
	c.Header("Content-Type", input.MediaLines)
	c.Header("Content-Disposition", `attachment; filename="tenant.jsonl"`)
	return s.Manage.TenantsByCaller(c.Request.Context()).Export(c.Request.Context(), tenant, c.Writer, nil)
}

// removeTenant serves DELETE /tenants/{t}?confirm={t}. If the tenant has unfinished tasks, it removes
// nothing. With cancel=true, it then cancels these tasks. If the removal fails halfway, a repeated
// request continues the removal.
func (s *Handlers) removeTenant(c *gin.Context) error {
	cancel, err := request.OneOf(c, "cancel", "true", "false")
	if err != nil {
		return err
	}
	n, err := s.Manage.RemoveTenant(c.Request.Context(), c.Param("tenant"), c.Query("confirm"), cancel == "true")
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.Removed{Emptied: n})
	return nil
}

// getLimits serves GET /tenants/{t}/limits.
func (s *Handlers) getLimits(c *gin.Context) error {
	tenant, err := s.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	l, err := s.Tasks.Limits(ctx, tenant)
	if err != nil {
		return err
	}
	caps, err := s.Tasks.Caps(ctx, tenant)
	if err != nil {
		return err
	}
	state, err := s.Tasks.TenantState(ctx, tenant)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.TenantLimits{Tenant: tenant, Limits: view.OfLimits(l), Allowed: view.OfLimits(caps), Weight: view.WeightOf(l), Hours: l.Hours, Paused: state.Paused, Stopped: state.Stopped})
	return nil
}

// putLimits serves PUT /tenants/{t}/limits. For the owner, a missing limit means the default of the
// service. For an operator of the tenant, a missing limit means the limit that the owner allows. A
// missing weight, pause or run_hours stays unchanged. Only a caller with the scope service:write can set
// the weight and the run hours.
func (s *Handlers) putLimits(c *gin.Context) error {
	tenant, err := s.Manage.CheckTenant(c.Request.Context(), c.Param("tenant"))
	if err != nil {
		return err
	}
	asked, err := request.Body[limitsRequest](c).read()
	if g := request.Caller(c); err == nil && (asked.Weight > 0 || asked.hours != nil) && !g.May(access.ServiceWrite) {
		err = auth.MissingScope(g, access.ServiceWrite)
	}
	if err == nil {
		err = s.Manage.CheckPause(c.Request.Context(), tenant, asked.paused)
	}
	if err == nil {
		err = s.Manage.SetTenant(c.Request.Context(), tenant, asked.Limits, asked.hours)
	}
	if err == nil && asked.paused != nil {
		err = s.Manage.PauseTenant(c.Request.Context(), tenant, *asked.paused)
	}
	if err != nil {
		return err
	}
	return s.getLimits(c)
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
	Hours     json.RawMessage `json:"run_hours"`
}

// limitsAsked holds the limits that a request sets. If the request lacks the weight, Weight is 0. If it
// lacks the pause or the run hours, the field paused or hours is nil.
type limitsAsked struct {
	tasks.Limits
	paused *bool
	hours  *string
}

func (r *limitsRequest) read() (asked limitsAsked, err error) {
	if r.Paused != nil && json.Unmarshal(r.Paused, &asked.paused) != nil {
		return asked, manage.BadLimits("/paused", "paused must be true or false.")
	}
	if asked.hours, err = manage.ParseHours(r.Hours); err != nil {
		return asked, err
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
	asked.Limits, err = manage.ParseLimits(numbers)
	return asked, err
}
