package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// limitsView is what a tenant may use; 0 is no limit of its own.
type limitsView struct {
	Tenant string `json:"tenant"`
	Slots  int64  `json:"slots"`
	Window int64  `json:"window"`
	Rate   int64  `json:"rate"`
	Tasks  int64  `json:"tasks"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
}

// tenantView is what a tenant may use, its share while other tenants wait, and whether
// anything of it is started.
type tenantView struct {
	limitsView
	Weight int64 `json:"weight" doc:"Share while other tenants wait, from 1 to 1000. Only the owner of the service sets it."`
	Paused bool  `json:"paused" doc:"Nothing more of the tenant is started."`
}

func viewLimits(tenant string, l tasks.Limits) limitsView {
	return limitsView{tenant, l.Slots, l.Window, l.Rate, l.Tasks, l.Rows, l.Bytes}
}

// getLimits serves GET /tenants/{t}/limits.
func (s *Server) getLimits(c *gin.Context) error {
	tenant := c.Param("tenant")
	if tenant != s.tenant(c) {
		return errNotFound
	}
	l, err := s.opt.Tasks.Limits(c.Request.Context(), tenant)
	if err != nil {
		return err
	}
	paused, err := s.opt.Tasks.TenantPaused(c.Request.Context(), tenant)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, tenantView{viewLimits(tenant, l), weightOf(l), paused})
	return nil
}

// putLimits serves PUT /tenants/{t}/limits. A limit that is left out is none; who
// says nothing of a pause changes none.
func (s *Server) putLimits(c *gin.Context) error {
	tenant := c.Param("tenant")
	if tenant != s.tenant(c) {
		return errNotFound
	}
	l, paused, err := taken[limitsRequest](c).read()
	if err != nil {
		return err
	}
	if err := s.setLimits(c, tenant, l); err != nil {
		return err
	}
	if paused != nil {
		if err := s.pauseTenant(c, tenant, *paused); err != nil {
			return err
		}
	}
	return s.getLimits(c)
}

// pauseTenant pauses a tenant or has it go on, and notes who did; what is so
// already is not noted.
func (s *Server) pauseTenant(c *gin.Context, tenant string, paused bool) error {
	ctx := c.Request.Context()
	if is, err := s.opt.Tasks.TenantPaused(ctx, tenant); err != nil || is == paused {
		return err
	}
	verb := map[bool]string{true: "pause-tenant", false: "resume-tenant"}[paused]
	if _, err := s.noteDeed(c, verb, tenant, nil, 1); err != nil {
		return err
	}
	if err := s.opt.Tasks.PauseTenant(ctx, tenant, paused); err != nil {
		return err
	}
	if !paused {
		s.ringFor(ctx, worker.FeedTopic)
	}
	return nil
}

// setLimits changes the limits of a tenant, and notes who did.
func (s *Server) setLimits(c *gin.Context, tenant string, l tasks.Limits) error {
	if _, err := s.noteDeed(c, "limits", tenant, viewLimits(tenant, l), 1); err != nil {
		return err
	}
	return s.opt.Tasks.SetLimits(c.Request.Context(), tenant, l)
}

// limitsRequest is the body of PUT /tenants/{t}/limits.
type limitsRequest struct {
	Slots  json.RawMessage `json:"slots"`
	Window json.RawMessage `json:"window"`
	Rate   json.RawMessage `json:"rate"`
	Tasks  json.RawMessage `json:"tasks"`
	Rows   json.RawMessage `json:"rows"`
	Bytes  json.RawMessage `json:"bytes"`
	Paused json.RawMessage `json:"paused"`
}

// read returns what the request asks for; paused is nil if it does not say.
func (r *limitsRequest) read() (l tasks.Limits, paused *bool, err error) {
	if r.Paused != nil && json.Unmarshal(r.Paused, &paused) != nil {
		return l, nil, badLimits("/paused", "paused is true or false.")
	}
	in := map[string]json.RawMessage{}
	for name, raw := range map[string]json.RawMessage{
		"slots": r.Slots, "window": r.Window, "rate": r.Rate, "tasks": r.Tasks, "rows": r.Rows, "bytes": r.Bytes,
	} {
		if raw != nil {
			in[name] = raw
		}
	}
	numbers, err := json.Marshal(in)
	if err != nil {
		return l, nil, err
	}
	l, err = parseLimits(numbers)
	return l, paused, err
}

// parseLimits reads one number for each limit; what is left out is none.
func parseLimits(text []byte) (tasks.Limits, error) {
	var l limitFields
	var in map[string]*json.Number
	if err := json.Unmarshal(text, &in); err != nil {
		return tasks.Limits{}, badLimits("", "Limits are numbers.")
	}
	for name, n := range in {
		at, most := l.field(name)
		var err error
		if *at, err = limit(name, n, most); err != nil {
			return tasks.Limits{}, err
		}
	}
	return tasks.Limits(l), nil
}

// limitFields are limits that are read from a request.
type limitFields tasks.Limits

// field is where a limit is, and its greatest value; nil if there is none.
func (l *limitFields) field(name string) (at *int64, most int64) {
	switch name {
	case "slots":
		return &l.Slots, tasks.MaxLimit
	case "window":
		return &l.Window, tasks.MaxLimit
	case "rate":
		return &l.Rate, tasks.MaxLimit
	case "tasks":
		return &l.Tasks, tasks.MaxLimit
	case "rows":
		return &l.Rows, tasks.MaxQuota
	case "bytes":
		return &l.Bytes, tasks.MaxQuota
	}
	return nil, 0
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

func badLimits(pointer, detail string) *problem {
	return refuse(http.StatusUnprocessableEntity, "INVALID_LIMITS", detail).field(pointer)
}
