package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// control serves POST /tasks/{id}/pause, /resume and /cancel, and answers with the task. The act may
// continue after the answer: a canceled task is done once the last of its running rows has ended.
func (s *Handlers) control(verb string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		anyway := request.Body[resumeRequest](c).Superseded == intake.RunSuperseded
		if err := s.Rows.Control(c.Request.Context(), c.Param("id"), verb, anyway); err != nil {
			return err
		}
		t, err := s.Find.TaskOf(c)
		if err != nil {
			return err
		}
		render, err := s.Cache.Load(c.Request.Context(), t)
		if err != nil {
			return err
		}
		s.pollHeaders(c, t)
		request.JSON(c, http.StatusOK, render(c.GetString(request.LangKey)))
		return nil
	}
}

// resumeRequest is the body of POST /tasks/{id}/resume.
type resumeRequest struct {
	Superseded string `json:"superseded"` // "run", or empty: they do not run
	DryRun     bool   `json:"dry_run"`
}

// resumeTask serves POST /tasks/{id}/resume, and answers with the task.
func (s *Handlers) resumeTask(c *gin.Context) error {
	in := request.Body[resumeRequest](c)
	if err := intake.CheckSuperseded(in.Superseded); err != nil {
		return err
	}
	if in.DryRun {
		return s.resumeDryRun(c)
	}
	return s.control("resume")(c)
}

// resumeDryRun answers how many rows of a paused task would not run.
func (s *Handlers) resumeDryRun(c *gin.Context) error {
	ctx := c.Request.Context()
	t, err := s.Find.TaskOf(c)
	if err != nil {
		return err
	}
	if t.Status != tasks.Paused {
		return rows.WrongStatus(rows.Transitions["resume"], t.Status)
	}
	o, err := s.Rows.Overtaken(ctx, t)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.ResumeDryRun{DryRun: true, Waiting: o.Looked, Superseded: o.Superseded})
	return nil
}
