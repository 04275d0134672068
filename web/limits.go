package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// limitsView is what a tenant may use; 0 is no limit of its own.
type limitsView struct {
	Tenant string `json:"tenant"`
	Slots  int64  `json:"slots"`
	Window int64  `json:"window"`
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
	c.JSON(http.StatusOK, limitsView{tenant, l.Slots, l.Window})
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
	if err := s.opt.Tasks.SetLimits(c.Request.Context(), tenant, l); err != nil {
		return err
	}
	return s.getLimits(c)
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
	var in struct {
		Slots  *json.Number `json:"slots"`
		Window *json.Number `json:"window"`
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return l, badLimits("", "The limits are slots and window, both numbers; there are no others.")
	}
	if l.Slots, err = limit("slots", in.Slots); err != nil {
		return l, err
	}
	l.Window, err = limit("window", in.Window)
	return l, err
}

// limit reads one number; nil is no limit.
func limit(name string, n *json.Number) (int64, error) {
	if n == nil {
		return 0, nil
	}
	v, err := n.Int64()
	if err != nil || v < 0 || v > tasks.MaxLimit {
		return 0, badLimits("/"+name, fmt.Sprintf(
			"%s is a whole number from 0, which is no limit, to %d.", name, tasks.MaxLimit))
	}
	return v, nil
}

func badLimits(pointer, detail string) *problem {
	return refuse(http.StatusUnprocessableEntity, "INVALID_LIMITS", detail).field(pointer)
}
