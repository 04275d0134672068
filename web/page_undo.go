package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// undoRequest is the body of POST /tasks/{id}/undo.
type undoRequest struct {
	ActID  string `json:"act_id"`
	DryRun bool   `json:"dry_run"`
}

// undo serves POST /tasks/{id}/undo: restores the rows that an act of the caller has
// changed. Sent again after an error, it goes on.
func (s *Server) undo(c *gin.Context, t *tasks.Task) error {
	in := taken[undoRequest](c)
	out, err := s.undoAct(c.Request.Context(), t, s.actor(c), *in)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, s.localizer(c, t).BulkResult(t, review.Press{Act: review.TakeBack, DryRun: in.DryRun}, out))
	return nil
}

// undoAct undoes an act of a user on a task.
func (s *Server) undoAct(ctx context.Context, t *tasks.Task, by string, in undoRequest) (review.Outcome, error) {
	act, err := s.opt.Events.Act(ctx, t.Num, in.ActID)
	if err != nil {
		return review.Outcome{}, err
	}
	if act == nil || act.Actor != by {
		return review.Outcome{}, errNothingToUndo
	}
	out, err := s.desk().Undo(ctx, t, review.Undo{By: by, Act: act, DryRun: in.DryRun})
	s.cache.Invalidate(t.Tenant, t.ID)
	if err != nil {
		return out, reviewProblem(err, nil, "")
	}
	return out, nil
}

var errNothingToUndo = problem.BadMember("act_id", http.StatusUnprocessableEntity,
	"This ID names no action of yours on this task that can be undone.")

// undoable returns the act that the page of a task offers to undo: the last act of a user on
// many rows, or the act whose undo broke off; nil if there is none.
func (p *pages) undoable(ctx context.Context, num int64, by string) (*events.Act, error) {
	act, err := p.opt.Events.LastAct(ctx, num, by)
	if err != nil || act == nil {
		return nil, err
	}
	if act.Undoes != "" {
		first, err := p.opt.Events.Act(ctx, num, act.Undoes)
		if err != nil || first != nil && first.UndoneAt == 0 {
			return first, err
		}
	}
	if act.UndoneAt > 0 {
		return nil, nil
	}
	return act, nil
}

// undoRow undoes the last act on a row, as editRow edits a row. It returns the row. An act
// on this row alone is undone with the rows that took over its key.
func (p *pages) undoRow(
	ctx context.Context, t *tasks.Task, e *events.Event, seen bool, patch review.Patch,
) (*events.Event, error) {
	if !seen {
		return nil, &rowChanged{e}
	}
	act, err := p.opt.Events.LastActOn(ctx, e)
	if err == nil && act != nil {
		only := e
		if act.Act == events.ActPatch && act.Rows > 1 {
			only = nil
		}
		_, err = p.desk().Undo(ctx, t, review.Undo{By: patch.By, Act: act, Row: only})
	}
	if err != nil {
		return nil, err
	}
	p.cache.Invalidate(t.Tenant, t.ID)
	return p.opt.Events.Get(ctx, e.ID)
}

// undoBulk undoes an act of the user on many rows, which the form names. What it would do
// is counted first. Sent once more, it is done; sent again after an error, it goes on.
func (p *pages) undoBulk(c *gin.Context, t *tasks.Task, form url.Values) error {
	in, by := undoRequest{ActID: form.Get("press"), DryRun: form.Get("go") == ""}, p.actor(c)
	out, err := p.undoAct(c.Request.Context(), t, by, in)
	if errors.Is(err, errNothingToUndo) {
		err = problem.BadMember("press", http.StatusUnprocessableEntity, tongueOf(c).say("grid.nothing"))
	}
	if err != nil {
		return err
	}
	if in.DryRun {
		return p.askBulk(c, t, review.Press{Act: review.TakeBack, By: by, DryRun: true}, out, form)
	}
	return p.didBulk(c, t, form, out)
}

// didBulk goes back to the rows, and has the page tell what was done to them.
func (p *pages) didBulk(c *gin.Context, t *tasks.Task, form url.Values, out review.Outcome) error {
	back := repairPage{Task: taskCard{Task: view.Task{Served: tasks.Served{ID: t.ID}}}}
	back.filterBy(form.Get)
	said, err := p.saying(c, form.Get("act"), int(out.Done), int(out.Done+out.Moved))
	if err != nil {
		return err
	}
	back.Query.Set("said", said)
	c.Redirect(http.StatusSeeOther, back.at(""))
	return nil
}
