package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

var (
	errConfirm = problem.New(http.StatusUnprocessableEntity, "CONFIRM_REMOVAL",
		"A removal cannot be undone: send confirm with the name of the tenant.").At("?confirm")
	errUnfinished = problem.New(http.StatusConflict, "TENANT_UNFINISHED",
		"The tenant has unfinished tasks. Wait for them, or cancel them.")
)

// tenants returns the tenants of the service for the caller.
func (s *Server) tenants(c *gin.Context) *operate.Tenants { return s.opt.Tenants.By(s.actor(c)) }

// listTenants serves GET /tenants.
func (s *Server) listTenants(c *gin.Context) error {
	limit, _, err := parsePage(c.Query("limit"), "")
	if err != nil {
		return err
	}
	after, err := s.unsealText(c)
	if err != nil {
		return err
	}
	list, err := s.tenants(c).List(c.Request.Context(), string(after), limit+1)
	if err != nil {
		return err
	}
	var next *string
	if len(list) > limit {
		list = list[:limit]
		next = sealedText(c, []byte(list[limit-1].Name))
	}
	return answerPage(c, view.All(list, view.OfTenant), next)
}

// turnTenant serves POST /tenants/{t}/pause and /resume.
func (s *Server) turnTenant(paused bool) handler {
	return func(c *gin.Context) error {
		tenant, err := s.limitedTenant(c)
		if err == nil {
			err = s.pauseTenant(c, tenant, paused)
		}
		if err != nil {
			return err
		}
		return s.getLimits(c)
	}
}

// exportTenant serves GET /tenants/{t}/export: records as JSON, one a line, without files.
func (s *Server) exportTenant(c *gin.Context) error {
	tenant, err := s.knownTenant(c)
	if err == nil {
		err = s.tenants(c).NoteExport(c.Request.Context(), tenant)
	}
	if err != nil {
		return err
	}
	c.Header("Content-Type", input.MediaLines)
	c.Header("Content-Disposition", `attachment; filename="tenant.jsonl"`)
	return s.tenants(c).Export(c.Request.Context(), tenant, c.Writer, nil)
}

// knownTenant returns the tenant that the path names, if there is one.
func (s *Server) knownTenant(c *gin.Context) (string, error) {
	tenant := c.Param("tenant")
	known, err := s.opt.Tenants.Known(c.Request.Context(), tenant)
	if err == nil && !known {
		err = problem.ErrNotFound
	}
	return tenant, err
}

// unfinishedProblem returns the problem of a removal whose tasks are not done, or err.
func unfinishedProblem(err error) error {
	begun := (*operate.CancelingError)(nil)
	switch {
	case errors.As(err, &begun):
		p := problem.New(http.StatusConflict, "TENANT_CANCELING", fmt.Sprintf(
			"Nothing was removed: %d tasks of the tenant are being canceled. Repeat the removal once they are canceled.", begun.Tasks))
		p.Args = map[string]string{"n": strconv.FormatInt(begun.Tasks, 10)}
		return p
	case errors.Is(err, operate.ErrUnfinished):
		return errUnfinished
	}
	return err
}

// removeTenant serves DELETE /tenants/{t}?confirm={t}. After an error, a repetition continues.
func (s *Server) removeTenant(c *gin.Context) error {
	cancel, err := oneOf(c, "cancel", "true", "false")
	if err != nil {
		return err
	}
	n, err := s.dropTenant(c, c.Query("confirm"), cancel == "true")
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, view.Removed{Emptied: n})
	return nil
}

// dropTenant removes the tenant that the path names, if the name is confirmed. With cancel, it
// cancels tasks that are not done.
func (s *Server) dropTenant(c *gin.Context, confirmed string, cancel bool) (emptied int64, err error) {
	tenant, err := s.knownTenant(c)
	switch {
	case err != nil:
		return 0, err
	case confirmed != tenant:
		return 0, errConfirm
	}
	emptied, err = s.tenants(c).Remove(context.WithoutCancel(c.Request.Context()), tenant, cancel)
	return emptied, unfinishedProblem(err)
}
