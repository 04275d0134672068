package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// undoable returns the act that the page offers to undo: the last act of a user on many rows. If that act
// is a complete undo, undoable returns nil. If the act is an undo that stopped halfway, undoable returns the
// act that the user was undoing. If the undo would restore no row, for example because all rows ran, undoable
// returns nil.
func (p *Handlers) undoable(ctx context.Context, t *tasks.Task, by string) (*decisions.Act, error) {
	act, err := decisions.New(p.Events).LastAct(ctx, t.Num, by)
	if err == nil && act != nil && act.Undoes != "" {
		act, err = decisions.New(p.Events).Act(ctx, t.Num, act.Undoes)
	}
	if err != nil || act == nil || act.UndoneAt > 0 {
		return nil, err
	}
	if some, err := p.Rows.Reviewer().MayUndo(ctx, t, act); err != nil || !some {
		return nil, err
	}
	return act, nil
}

// undoRow undoes the last act on a row, and returns the row. It returns a rows.ChangedError if the
// user has not seen the newest version of the row. If that act was an edit that has also changed other
// rows, undoRow undoes all these changes. An edit changes other rows if they take over the key of the
// edited row.
func (p *Handlers) undoRow(
	ctx context.Context, t *tasks.Task, e *events.Event, seen bool, patch review.Patch,
) (*events.Event, error) {
	if !seen {
		return nil, &rows.ChangedError{Now: e}
	}
	act, err := decisions.New(p.Events).LastActOn(ctx, e)
	if err == nil && act != nil {
		only := e
		if act.Act == decisions.ActPatch && act.Rows > 1 {
			only = nil
		}
		_, err = p.Rows.Reviewer().Undo(ctx, t, review.Undo{By: patch.By, Act: act, Row: only})
	}
	if err != nil {
		return nil, err
	}
	p.Cache.Invalidate(t.Tenant, t.ID)
	return p.Events.Get(ctx, e.ID)
}

// undoBulk undoes the act that the form names. It answers an unconfirmed form with a confirmation that
// shows the number of rows. If the undo fails halfway, a repeated request continues.
func (p *Handlers) undoBulk(c *gin.Context, t *tasks.Task, form url.Values) error {
	in, by := rows.UndoRequest{ActID: form.Get("act_id"), DryRun: form.Get("go") == ""}, request.Actor(c)
	message, err := p.undoMessage(c.Request.Context(), t, in.ActID)
	if err != nil {
		return err
	}
	out, err := p.Rows.Undo(c.Request.Context(), t, by, in)
	if errors.Is(err, rows.ErrNothingToUndo) {
		err = problem.BadMember("act_id", http.StatusUnprocessableEntity, request.Printer(c).Text("grid.nothing"))
	}
	if err != nil {
		return err
	}
	if in.DryRun {
		return p.askBulk(c, t, review.BulkAction{Act: review.UndoAct, By: by, DryRun: true}, out, form)
	}
	return p.reportBulk(c, t, message, out)
}

// undoMessage returns the text key, below "told.", of the message about the undo of an act. It depends
// on the last row that is not yet restored. The text key is "undo" if there is no such row, or if the
// act changed cells of this row. Otherwise the act changed only a state of the row, and the text key is
// "undo.skip", "undo.accept" or "undo.state".
func (p *Handlers) undoMessage(ctx context.Context, t *tasks.Task, id string) (string, error) {
	act, err := decisions.New(p.Events).Act(ctx, t.Num, id)
	if err != nil || act == nil {
		return "undo", err
	}
	sample, err := decisions.New(p.Events).ActRows(ctx, act, events.NewID(t.Num+1, 0), 1)
	if err != nil || len(sample) == 0 || len(sample[0].Was.Before) > 0 {
		return "undo", err
	}
	ends := act.Act
	if ends == decisions.ActPatch || ends == decisions.ActGroup {
		e, err := p.Events.Get(ctx, sample[0].ID)
		if err != nil {
			return "", err
		}
		ends = string(e.State())
	}
	switch ends {
	case string(review.Skip), string(events.Skipped):
		return "undo.skip", nil
	case string(review.Accept), string(events.Accepted):
		return "undo.accept", nil
	}
	return "undo.state", nil
}

// reportBulk redirects to the page that the form came from. This page shows the message with the text
// key `message` below "told.".
func (p *Handlers) reportBulk(c *gin.Context, t *tasks.Task, message string, out review.Outcome) error {
	form := request.Form(c)
	n := max(out.Done-out.Newer, 0)
	outcome := render.Outcome{Act: message, N: int(n), Of: int(n + out.Moved), ID: out.ActID}
	if out.Newer > 0 {
		outcome.Args = map[string]string{"superseded": strconv.FormatInt(out.Newer, 10)}
	}
	to := form.Get("back")
	switch seq, isRow := strings.CutPrefix(to, "row:"); {
	case isRow:
		to = "/tasks/" + t.ID + "/rows/" + url.PathEscape(seq)
	case to == "task":
		to = "/tasks/" + t.ID
	default:
		back := repairPage{Task: render.TaskCard{Task: view.Task{TaskJSON: tasks.TaskJSON{ID: t.ID}}}}
		back.filterBy(form.Get)
		to = back.at("")
	}
	return p.backTo(c, to, outcome)
}
