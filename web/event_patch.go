package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	errNoVersion = problem.New(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED",
		`Say which version you have seen: send the ETag of the row as If-Match.`)
	errNoKind = problem.New(http.StatusConflict, "UNKNOWN_KIND",
		"No process registers the kind of this task, so its rows cannot be validated.")
)

// maxNote bounds the reason for what a person does, in bytes.
const maxNote = 2000

// patchEvent serves PATCH /events/{id}: repairs or skips one row. An edit is kept
// even if the row is wrong still, which the answer says.
func (s *Server) patchEvent(c *gin.Context) error {
	if input.NoIfMatch(c.Request.Header) {
		return errNoVersion
	}
	t, e, err := s.eventOf(c)
	if err != nil {
		return err
	}
	req, err := s.readRequest(c, nil)
	if err != nil {
		return err
	}
	patch, err := s.readPatch(c, req)
	if err != nil {
		return err
	}
	now, err := s.editRow(c.Request.Context(), t, e, input.IfMatch(c.Request.Header, eventTag(e)), patch)
	if err != nil {
		return reviewProblem(err, e, "/params")
	}
	act, err := s.opt.Events.LastActOn(c.Request.Context(), now)
	if err != nil {
		return err
	}
	if act != nil { // else something else has changed the row since
		c.Header("Act-Id", act.ID)
	}
	c.Header("ETag", eventTag(now))
	c.JSON(http.StatusOK, s.localizer(c, t).View(t, now))
	return nil
}

func (s *Server) desk() *review.Desk {
	return review.New(s.opt.Events, s.opt.Kinds, review.Options{Now: s.opt.Now})
}

func eventTag(e *events.Event) string { return fmt.Sprintf(`"%d"`, e.Version) }

// stale refuses to overwrite what somebody else has done, and tells the version
// that the row has.
func stale(e *events.Event) *problem.Problem {
	p := problem.New(http.StatusPreconditionFailed, "ROW_CHANGED",
		"The row has changed since you read it. Read it again.")
	p.Version = e.Version
	return p
}

// eventOf returns the row that the id in the address names, and its task.
func (s *Server) eventOf(c *gin.Context) (*tasks.Task, *events.Event, error) {
	taskID, seq, err := events.ParseJobID(c.Param("id"))
	if err != nil {
		return nil, nil, err
	}
	return s.rowOf(c, taskID, seq)
}

// rowOf returns a row of a task of the caller's tenant, and the task.
func (s *Server) rowOf(c *gin.Context, taskID string, seq int64) (*tasks.Task, *events.Event, error) {
	t, err := s.opt.Tasks.Get(c.Request.Context(), s.tenant(c), taskID)
	if err != nil {
		return nil, nil, err
	}
	e, err := s.opt.Events.Get(c.Request.Context(), events.NewID(t.Num, seq))
	return t, e, err
}

// rowChanged means that a row has another version than the client has seen.
type rowChanged struct{ now *events.Event }

func (r *rowChanged) Error() string { return "the row has changed" }

// editRow applies a patch to a row. It returns a *rowChanged if the row is not in the
// version that the client has seen.
func (s *Server) editRow(
	ctx context.Context, t *tasks.Task, e *events.Event, seen bool, patch review.Patch,
) (*events.Event, error) {
	if !seen {
		return nil, &rowChanged{e}
	}
	now, err := s.desk().Patch(ctx, t, e, patch)
	if errors.Is(err, review.ErrMoved) {
		if now, err = s.opt.Events.Get(ctx, e.ID); err == nil {
			err = &rowChanged{now}
		}
	}
	if err != nil {
		return nil, err
	}
	s.cache.Invalidate(t.Tenant, t.ID)
	return now, nil
}

// readPatch reads what is to be done to one row.
func (s *Server) readPatch(c *gin.Context, req input.Object) (p review.Patch, err error) {
	p.By = s.actor(c)
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
		if p.Cells, err = readCells(raw, "/params"); err != nil {
			return p, err
		}
	}
	if len(p.Cells) == 0 && p.Resolution == "" && p.Note == "" {
		return p, problem.BadMember("params", http.StatusUnprocessableEntity,
			"The request changes nothing: send params, resolution or note.")
	}
	return p, checkNote(p.Note)
}

func checkNote(note string) error {
	if len(note) > maxNote || review.CheckText(note) != "" {
		return problem.BadMember("note", http.StatusUnprocessableEntity,
			fmt.Sprintf("note is a text of at most %d bytes, without control characters.", maxNote))
	}
	return nil
}

// readCells reads texts by column; null clears a cell.
func readCells(raw json.RawMessage, at string) (review.Cells, error) {
	texts, err := jsonrows.Cells(raw)
	var bad *jsonrows.Malformed
	if errors.As(err, &bad) {
		if bad.Field != "" {
			at += "/" + problem.Pointer(bad.Field)
		}
		return nil, problem.New(http.StatusUnprocessableEntity, bad.Code, bad.Detail).At(at)
	}
	if err != nil {
		return nil, err
	}
	out := review.Cells{}
	for name, text := range texts {
		out[name] = textutil.Optional(text)
	}
	return out, nil
}

// reviewProblem is what a decision was refused for; at is where the cells of the
// request are.
func reviewProblem(err error, e *events.Event, at string) error {
	var column *review.ColumnError
	var changed *rowChanged
	switch {
	case errors.As(err, &changed):
		return stale(changed.now)
	case errors.As(err, &column):
		if column.Column != "" {
			at += "/" + problem.Pointer(column.Column)
		}
		return problem.New(http.StatusUnprocessableEntity, "INVALID_CELL", column.Detail).At(at)
	case errors.Is(err, review.ErrStatus):
		return problem.New(http.StatusConflict, "WRONG_STATUS", fmt.Sprintf(
			"Only a row with the status failed or error can be repaired; this row is %s.", e.Status))
	case errors.Is(err, events.ErrClosed):
		return errClosed
	case errors.Is(err, review.ErrKind):
		return errNoKind
	}
	return err
}
