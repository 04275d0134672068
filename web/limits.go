package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
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
	c.JSON(http.StatusOK, limitsView{tenant, l.Slots, l.Window, l.Rate, l.Tasks, l.Rows, l.Bytes})
	return nil
}

// putLimits serves PUT /tenants/{t}/limits. A limit that is left out is none.
func (s *Server) putLimits(c *gin.Context) error {
	tenant := c.Param("tenant")
	if tenant != s.tenant(c) {
		return errNotFound
	}
	l, err := s.readLimits(c)
	if err != nil {
		return err
	}
	if err := s.setLimits(c, tenant, l); err != nil {
		return err
	}
	return s.getLimits(c)
}

// setLimits changes the limits of a tenant, and notes who did.
func (s *Server) setLimits(c *gin.Context, tenant string, l tasks.Limits) error {
	is := limitsView{tenant, l.Slots, l.Window, l.Rate, l.Tasks, l.Rows, l.Bytes}
	if _, err := s.noteDeed(c, "limits", tenant, is, 1); err != nil {
		return err
	}
	return s.opt.Tasks.SetLimits(c.Request.Context(), tenant, l)
}

// readLimits reads the body of a PUT.
func (s *Server) readLimits(c *gin.Context) (l tasks.Limits, err error) {
	text, err := s.readText(c)
	if err != nil {
		return l, err
	}
	if err := strictObject(text); err != nil {
		return l, refuse(http.StatusBadRequest, "MALFORMED_JSON", "The request "+err.Error())
	}
	return parseLimits([]byte(text))
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
		if at == nil {
			return tasks.Limits{}, badLimits("/"+pointer(name),
				"The limits are slots, window, rate, tasks, rows and bytes; there are no others.")
		}
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
