package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// patchEvent serves PATCH /events/{id}: repairs or skips one row. An edit is stored even if the row is
// still invalid; the response then has the fault.
func (s *Handlers) patchEvent(c *gin.Context) error {
	if input.NoIfMatch(c.Request.Header) {
		return input.ErrNoVersion
	}
	t, e, err := s.Rows.EventOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	req, err := s.Intake.ReadRequest(request.NewBody(c), nil)
	if err != nil {
		return err
	}
	patch, err := s.readPatch(c, req)
	if err != nil {
		return err
	}
	now, err := s.Rows.EditRow(c.Request.Context(), t, e, input.IfMatch(c.Request.Header, eventTag(e)), patch)
	if err != nil {
		return rows.ReviewProblem(err, e, "/params")
	}
	act, err := decisions.New(s.Events).LastActOn(c.Request.Context(), now)
	if err != nil {
		return err
	}
	if act != nil { // else something else has changed the row since
		c.Header("Act-Id", act.ID)
	}
	c.Header("ETag", eventTag(now))
	request.JSON(c, http.StatusOK, s.Locale.Localizer(c, t).View(t, now))
	return nil
}

func eventTag(e *events.Event) string { return fmt.Sprintf(`"%d"`, e.Version) }

// readPatch reads the requested change of one row.
func (s *Handlers) readPatch(c *gin.Context, req input.Object) (p review.Patch, err error) {
	p.By = request.Actor(c)
	if err := req.Into("note", "a text", &p.Note); err != nil {
		return p, err
	}
	if err := req.Into("resolution", "a text", &p.Resolution); err != nil {
		return p, err
	}
	switch p.Resolution {
	case "", events.Open, events.Fixed, events.Skipped:
	default:
		return p, problem.BadMember("resolution", http.StatusUnprocessableEntity,
			"resolution is open, fixed or skipped. To run the row once more, resubmit it.")
	}
	if raw, ok := req["params"]; ok {
		if p.Cells, err = rows.ReadCells(raw, "/params"); err != nil {
			return p, err
		}
	}
	if len(p.Cells) == 0 && p.Resolution == "" && p.Note == "" {
		return p, problem.BadMember("params", http.StatusUnprocessableEntity,
			"The request changes nothing: send params, resolution or note.")
	}
	return p, rows.CheckNote(p.Note)
}

// correct serves POST /tasks/{id}/corrections: a result file that a user has edited. Changed rows are
// repaired and run again.
func (s *Handlers) correct(c *gin.Context, t *tasks.Task) error {
	v, err := s.Rows.TakeCorrections(request.NewBody(c), t, s.Locale.Localizer(c, t))
	if err != nil {
		return err
	}
	status := http.StatusAccepted
	if v.DryRun {
		status = http.StatusOK
	}
	c.Header("Location", v.Links["self"])
	request.JSON(c, status, v)
	return nil
}

// undo serves POST /tasks/{id}/undo: restores the rows that an act of the caller has changed. After an
// error, a repeated request continues.
func (s *Handlers) undo(c *gin.Context, t *tasks.Task) error {
	in := request.Body[rows.UndoRequest](c)
	out, err := s.Rows.Undo(c.Request.Context(), t, request.Actor(c), *in)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, s.Locale.Localizer(c, t).BulkResult(t, review.Press{Act: review.TakeBack, DryRun: in.DryRun}, out))
	return nil
}

// press serves POST /tasks/{id}/resubmit, /repair and /skip.
func (s *Handlers) press(act review.Act) route.Handler {
	return s.Find.ForTask(func(c *gin.Context, t *tasks.Task) error {
		p, err := s.readPress(c, t, act)
		if err != nil {
			return err
		}
		out, err := s.Rows.Bulk(c.Request.Context(), t, p)
		if err != nil {
			return rows.ReviewProblem(err, nil, "/patch")
		}
		status := http.StatusOK
		if act == review.Resubmit && !p.DryRun {
			c.Header("Location", "/api/v1/tasks/"+t.ID)
			status = http.StatusAccepted
		}
		request.JSON(c, status, s.Locale.Localizer(c, t).BulkResult(t, p, out))
		return nil
	})
}

func (s *Handlers) readPress(c *gin.Context, t *tasks.Task, act review.Act) (p review.Press, err error) {
	in := request.Body[rows.BulkRequest](c)
	p = review.Press{Act: act, By: request.Actor(c), Note: in.Note, DryRun: in.DryRun, Anyway: in.Superseded == intake.RunSuperseded}
	if err := errors.Join(rows.CheckNote(in.Note), intake.CheckSuperseded(in.Superseded)); err != nil {
		return p, err
	}
	switch {
	case act == review.Skip && in.State == string(events.Open):
		p.Act = review.Reopen
	case in.State != "" && (act != review.Skip || in.State != string(events.Skipped)):
		return p, problem.BadField("state", "state is skipped or open, and only of /skip.")
	}
	if err := in.ReadRows(t, &p); err != nil {
		return p, err
	}
	if err := rows.CheckTraces(c.Request.Context(), p.Filter); err != nil {
		return p, err
	}
	if err := in.ReadPatch(&p); err != nil {
		return p, err
	}
	return p, rows.CheckFinished(t, &p)
}
