package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// runSuperseded is the word that has superseded rows run all the same.
const runSuperseded = "run"

// resumeRequest is the body of POST /tasks/{id}/resume.
type resumeRequest struct {
	Superseded string `json:"superseded"` // "run", or empty: they do not run
	DryRun     bool   `json:"dry_run"`
}

// resumeTask serves POST /tasks/{id}/resume, and answers with the task.
func (s *Server) resumeTask(c *gin.Context) error {
	in := taken[resumeRequest](c)
	if err := checkSuperseded(in.Superseded); err != nil {
		return err
	}
	if in.DryRun {
		return s.resumeDryRun(c)
	}
	return s.control("resume")(c)
}

// checkSuperseded refuses a word that says neither of the two.
func checkSuperseded(word string) error {
	if word != "" && word != runSuperseded {
		return problem.BadField("superseded", `superseded must be "run" or absent.`)
	}
	return nil
}

// resumeDryRun answers how many rows of a paused task would not run.
func (s *Server) resumeDryRun(c *gin.Context) error {
	ctx := c.Request.Context()
	t, err := s.taskOf(c)
	if err != nil {
		return err
	}
	if t.Status != tasks.Paused {
		return wrongStatus(turns["resume"], t.Status)
	}
	o, err := s.overtaken(ctx, t)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, view.ResumeDryRun{DryRun: true, Waiting: o.Looked, Superseded: o.Superseded})
	return nil
}

// overtaken counts the waiting rows of a task that newer rows have superseded; none
// of a kind whose rows need no order.
func (s *Server) overtaken(ctx context.Context, t *tasks.Task) (events.Overtaken, error) {
	o, err := s.opt.Events.Overtaken(ctx, t.Num)
	if kind, ok := s.opt.Kinds.Kind(t.Kind); ok && kind.Unordered {
		o.Superseded = 0
	}
	return o, err
}

// resumes is how a paused task goes on, as the request says.
func (s *Server) resumes(c *gin.Context) func(*tasks.Store, context.Context, string, string) error {
	if taken[resumeRequest](c).Superseded == runSuperseded || formOf(c).Get("superseded") == runSuperseded {
		return (*tasks.Store).ResumeAnyway
	}
	return (*tasks.Store).Resume
}
