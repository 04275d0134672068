package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// control returns the handler of POST /tasks/{id}/pause, /resume or /cancel, which answers with the
// task. Canceling may continue after the response, until the last running row has ended.
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
	Superseded string `json:"superseded"` // "run": superseded rows run, too; "": they do not
	DryRun     bool   `json:"dry_run"`
}

// resumeTask serves POST /tasks/{id}/resume. It answers with the task or, for a dry run, with counts of
// rows.
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

// resumeDryRun answers with two counts for a paused task: the waiting rows with a key, at most 10,000,
// and the superseded rows among them. A resume runs superseded rows only if the field `superseded` is
// "run".
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

// cancelRows serves POST /tasks/{id}/rows/cancel, which cancels waiting rows of a task.
func (s *Handlers) cancelRows(c *gin.Context, t *tasks.Task) error {
	act, err := request.Body[rows.CancelRequest](c).Act(t)
	if err != nil {
		return err
	}
	out, err := s.Rows.CancelRows(c.Request.Context(), t, act)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.CancelResult{DryRun: act.DryRun, Matched: out.Matched, Canceled: out.Canceled, Running: out.Running})
	return nil
}

// cancelAllRows serves POST /rows/cancel, which cancels the waiting rows of the tenant that match a
// filter. One request executes one step, or starts a task that executes all steps.
func (s *Handlers) cancelAllRows(c *gin.Context) error {
	in := request.Body[rows.CancelRequest](c)
	if in.Filter == nil {
		return problem.BadField("filter", "Send filter; {} selects all waiting rows.")
	}
	reach, err := in.Reach()
	if err == nil {
		_, reach.Before, err = request.Page(c)
	}
	if err != nil {
		return err
	}
	act, err := in.Act(&tasks.Task{})
	if err != nil {
		return err
	}
	if in.AsTask {
		return s.startCancel(c, reach, act)
	}
	sum, err := s.Rows.CancelOverTasks(c.Request.Context(), reach, act)
	if err != nil {
		return err
	}
	out := view.CancelTotal{
		CancelResult: view.CancelResult{DryRun: act.DryRun, Matched: sum.Matched, Canceled: sum.Canceled, Running: sum.Running}, Tasks: sum.Tasks,
	}
	if sum.Next > 0 {
		out.Next = new(request.Cursor(sum.Next))
	}
	request.JSON(c, http.StatusOK, out)
	return nil
}

// startCancel starts a task that executes all steps of cancelAllRows, and answers with the task.
func (s *Handlers) startCancel(c *gin.Context, reach rows.Reach, act rows.CancelAct) error {
	if err := checkAsTask(c, act.DryRun); err != nil {
		return err
	}
	t, err := s.Rows.StartCancel(c.Request.Context(), actName(c, "cancel"), reach, act)
	if err != nil {
		return err
	}
	s.created(c, t, false)
	return nil
}
