package api

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// createTask serves POST /tasks. The body is a form with a file, one JSON object, or one JSON object per
// line.
func (s *Handlers) createTask(c *gin.Context) error {
	if err := s.Intake.CheckQuota(c.Request.Context(), tasks.Usage{Tasks: 1, Rows: 1, Bytes: max(c.Request.ContentLength-input.MaxFields, 1)}); err != nil {
		return err
	}
	u, ctx := request.NewTask(c), c.Request.Context()
	w, err := s.Intake.ReadSource(request.NewBody(c), u, c.GetString(request.LangKey))
	switch {
	case err != nil:
		return errors.Join(err, s.Ingest.Drop(ctx, u))
	case w.Open:
		return s.createOpen(c, u)
	}
	t, old, err := s.Intake.Add(ctx, w, u)
	if err != nil {
		return intake.AtUpload(err) // the upload may have expired since the request was read
	}
	return s.respond(c, t, old)
}

// created answers with a task. The argument `old` is true if deduplication found the task of an earlier
// request.
func (s *Handlers) created(c *gin.Context, t *tasks.Task, old bool) {
	now, status := s.Now(), http.StatusAccepted
	v := view.OfTask(t, now)
	if v.Deduplicated = old; old {
		status = http.StatusOK
	}
	c.Header("Location", "/api/v1/tasks/"+t.ID)
	if !t.Status.Done() {
		c.Header("Retry-After", "1")
	}
	c.Header("ETag", view.Etag(c.GetString(request.LangKey), t))
	request.JSON(c, status, v)
}

// createOpen serves POST /tasks for an open task, which receives its rows in later requests.
func (s *Handlers) createOpen(c *gin.Context, u *ingest.Request) error {
	t, err := s.Ingest.Open(c.Request.Context(), u)
	if err != nil {
		return err
	}
	s.created(c, t, false)
	return nil
}
