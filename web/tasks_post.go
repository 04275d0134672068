package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/view"
)

// createTask serves POST /tasks: a file in a form, rows in JSON or one JSON
// object a line.
func (s *Server) createTask(c *gin.Context) error {
	if err := s.roomFor(c, tasks.Use{Tasks: 1, Rows: 1, Bytes: max(c.Request.ContentLength-input.MaxFields, 1)}); err != nil {
		return err
	}
	u, ctx := s.newRequest(c), c.Request.Context()
	w, err := s.readSource(c, u)
	switch {
	case err != nil:
		return errors.Join(err, s.ingest.Drop(ctx, u))
	case w.open:
		return s.createOpen(c, u)
	}
	t, old, err := s.makeTask(ctx, w, u)
	if err != nil {
		return err
	}
	return s.respond(c, t, old)
}

// makeTask commits the task of a request that was read.
func (s *Server) makeTask(ctx context.Context, w taskRequest, u *ingest.Request) (t *tasks.Task, old bool, err error) {
	if w.export != nil {
		t, err = s.ingest.AddExport(ctx, u, w.export)
		return t, false, err
	}
	return s.ingest.Import(ctx, u)
}

// created answers with a task that was accepted or existed already (old).
func (s *Server) created(c *gin.Context, t *tasks.Task, old bool) {
	now, status := s.opt.Now(), http.StatusAccepted
	v := view.OfTask(t, now)
	if v.Deduplicated = old; old {
		status = http.StatusOK
	}
	c.Header("Location", "/api/v1/tasks/"+t.ID)
	if !t.Status.Done() {
		c.Header("Retry-After", "1")
	}
	c.Header("ETag", etag(c, t))
	c.JSON(status, v)
}
