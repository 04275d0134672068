package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

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
	"github.com/rollcall-dev/rollcall/web/view"
)

// patchEvent serves PATCH /events/{id}, which edits one row, sets its resolution or stores a note. The
// request must have If-Match. It stores an edit even if the row is still invalid; the response then has
// the fault.
func (s *Handlers) patchEvent(c *gin.Context) error {
	if input.NoIfMatch(c.Request.Header) {
		return input.ErrNoVersion
	}
	group, err := actGroup(c.Request.Header)
	if err != nil {
		return err
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
	patch.Group = group
	now, err := s.Rows.EditRow(c.Request.Context(), t, e, input.IfMatch(c.Request.Header, eventTag(e)), patch)
	if err != nil {
		return rows.ReviewProblem(err, e, "/params")
	}
	act, err := decisions.New(s.Events).LastActOn(c.Request.Context(), now)
	if err != nil {
		return err
	}
	if act != nil { // nil: another act has changed the row since
		c.Header("Act-Id", act.ID)
	}
	c.Header("ETag", eventTag(now))
	request.JSON(c, http.StatusOK, s.Locale.Localizer(c, t).View(t, now))
	return nil
}

// maxActGroup is the greatest length of the header Act-Group.
const maxActGroup = 64

// actGroup returns the header Act-Group, with which a client joins changes of rows to one act. It returns "" if the
// header is missing.
func actGroup(h http.Header) (string, error) {
	lines := h.Values("Act-Group")
	odd := func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	switch id := strings.Join(lines, ","); {
	case len(lines) == 0:
		return "", nil
	case id == "", len(id) > maxActGroup, strings.ContainsFunc(id, odd):
		return "", problem.New(http.StatusBadRequest, "INVALID_PARAMETER",
			"Act-Group must be 1 to 64 letters, digits, - or _, for example a UUID.")
	default:
		return id, nil
	}
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
	case "", events.Open, events.Fixed, events.Skipped, events.Accepted:
	default:
		return p, problem.BadMember("resolution", http.StatusUnprocessableEntity,
			"resolution is open, fixed, skipped or accepted. To run the row once more, resubmit it.")
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
	return p, rows.CheckReason(p.Resolution == events.Accepted, p.Note)
}

// correct serves POST /tasks/{id}/corrections. The request has a result file that a user has
// edited. Failed rows and rows in error that differ from the stored rows are repaired, and run
// again if they are valid.
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

// undo serves POST /tasks/{id}/undo. It restores the rows that an act of the caller has changed, but keeps
// later changes of these rows. If it fails halfway, a repeated request continues.
func (s *Handlers) undo(c *gin.Context, t *tasks.Task) error {
	in := request.Body[rows.UndoRequest](c)
	out, err := s.Rows.Undo(c.Request.Context(), t, request.Actor(c), *in)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, s.Locale.Localizer(c, t).BulkResult(t, review.BulkAction{Act: review.UndoAct, DryRun: in.DryRun}, out))
	return nil
}

// bulkAct returns the handler of POST /tasks/{id}/resubmit, /repair or /skip.
func (s *Handlers) bulkAct(act review.Act) route.Handler {
	return s.Find.ForTask(func(c *gin.Context, t *tasks.Task) error {
		p, err := readBulkAct(c, t, act)
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

// bulkActAll returns the handler of POST /rows/resubmit or /rows/skip, which acts on all rows of the tenant
// that match a filter. One request executes one step, and the response has the cursor of the next step, if
// any. With as_task, a task executes all steps.
func (s *Handlers) bulkActAll(act review.Act) route.Handler {
	return func(c *gin.Context) error {
		_, before, err := request.Page(c)
		if err != nil {
			return err
		}
		in := request.Body[rows.BulkRequest](c)
		if in.Filter == nil {
			return problem.BadField("filter", "Send filter; {} selects all failed rows.")
		}
		if in.Patch != nil && in.Kind == "" {
			return problem.BadField("kind", "Send kind with patch: rows of other kinds may lack the column.")
		}
		p, err := readBulkAct(c, &tasks.Task{}, act)
		if err != nil {
			return err
		}
		reach := rows.Reach{Kind: in.Kind, Before: before}
		if in.AsTask {
			return s.startBulk(c, reach, p)
		}
		sum, err := s.Rows.OverTasks(c.Request.Context(), reach, p)
		if err != nil {
			return rows.ReviewProblem(err, nil, "/patch")
		}
		out := view.BulkTotal{
			Act: p.Act, DryRun: p.DryRun, Tasks: sum.Tasks, Closed: sum.Closed, Matched: sum.Matched, StillInvalid: sum.StillInvalid,
			Done: sum.Done, Resubmitted: sum.Resubmitted, Superseded: sum.Superseded, Conflicts: sum.Moved,
		}
		if sum.Next > 0 {
			out.Next = new(request.Cursor(sum.Next))
		}
		request.JSON(c, http.StatusOK, out)
		return nil
	}
}

// startBulk starts a task that executes all steps of bulkActAll, and answers with the task.
func (s *Handlers) startBulk(c *gin.Context, reach rows.Reach, p review.BulkAction) error {
	if err := checkAsTask(c, p.DryRun); err != nil {
		return err
	}
	t, err := s.Rows.StartBulk(c.Request.Context(), actName(c, string(p.Act)), reach, p)
	if err != nil {
		return err
	}
	s.created(c, t, false)
	return nil
}

// actName returns the name of a task that runs an act, in the language of the request.
func actName(c *gin.Context, act string) string { return request.Printer(c).Text("act.name." + act) }

// checkAsTask returns a problem if a request that starts a task is also a dry run, or has the cursor of a
// step.
func checkAsTask(c *gin.Context, dryRun bool) error {
	if dryRun {
		return problem.BadField("as_task", "A dry run only counts: leave as_task out.")
	}
	if c.Query("cursor") != "" {
		return problem.BadField("as_task", "A task reaches all tasks: leave cursor out.")
	}
	return nil
}

// readBulkAct reads an act on the rows of a task. For an act on the rows of all tasks, the argument `t` is an
// empty task.
func readBulkAct(c *gin.Context, t *tasks.Task, act review.Act) (p review.BulkAction, err error) {
	in := request.Body[rows.BulkRequest](c)
	p = review.BulkAction{Act: act, By: request.Actor(c), Note: in.Note, DryRun: in.DryRun, Anyway: in.Superseded == intake.RunSuperseded}
	accepts := act == review.Skip && in.State == string(events.Accepted)
	if err := errors.Join(rows.CheckReason(accepts, in.Note), intake.CheckSuperseded(in.Superseded)); err != nil {
		return p, err
	}
	switch {
	case act == review.Skip && in.State == string(events.Open):
		p.Act = review.Reopen
	case accepts:
		p.Act = review.Accept
	case in.State != "" && (act != review.Skip || in.State != string(events.Skipped)):
		return p, problem.BadField("state", "state is skipped, accepted or open, and only of /skip.")
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
