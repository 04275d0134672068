package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// getExplain serves GET /events/{id}/explain.
func (s *Handlers) getExplain(c *gin.Context) error {
	t, e, err := s.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	x, err := s.Explain.Row(c.Request.Context(), s.Locale.Localizer(c, t), t, e)
	if err != nil {
		return err
	}
	if !request.Caller(c).May(access.OpsRead) {
		view.WithoutNodes(x.Reasons)
	}
	request.JSON(c, http.StatusOK, x)
	return nil
}

// getTaskTree serves GET /tasks/{id}/tree.
func (s *Handlers) getTaskTree(c *gin.Context, t *tasks.Task) error {
	list, more, err := s.Tasks.Tree(c.Request.Context(), t)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.OfTree(t, list, more))
	return nil
}

// getTaskExplain serves GET /tasks/{id}/explain.
func (s *Handlers) getTaskExplain(c *gin.Context, t *tasks.Task) error {
	v, err := s.Explain.Task(c.Request.Context(), s.Locale.Localizer(c, t), t)
	if err != nil {
		return err
	}
	if !request.Caller(c).May(access.OpsRead) {
		view.WithoutNodes(v.Reasons)
	}
	request.JSON(c, http.StatusOK, v)
	return nil
}
