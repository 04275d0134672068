package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// undoable is how many of the last acts on a task are looked through for an edit
// that can be undone.
const undoable = 1000

// lastEdit is what takes back the last edit of a row: its cells as they were. It
// is nil if there was none lately, if the row has run since, or if a cell is
// another by now.
func (p *pages) lastEdit(ctx context.Context, t *tasks.Task, e *events.Event) (review.Cells, error) {
	if !e.Status.Bad() {
		return nil, nil
	}
	list, err := p.opt.Audit.List(ctx, audit.Task(t.Num), 0, undoable)
	if err != nil {
		return nil, err
	}
	for _, act := range list {
		if act.Seq != e.ID.Seq() {
			continue
		}
		if act.Act != "patch" {
			return nil, nil // it was decided about otherwise
		}
		return cellsBefore(act.Detail.Before, act.Detail.After, e.Params), nil
	}
	return nil, nil
}

// undoBulk takes back the last edit of many rows by whoever asks, which the form
// names: what it would do is counted first. Asked for once more, it goes on.
func (p *pages) undoBulk(c *gin.Context, t *tasks.Task, form url.Values) error {
	ctx, by := c.Request.Context(), p.actor(c)
	last, ok, err := p.opt.Audit.LastPress(ctx, t.Num, by, form.Get("press"))
	if err == nil && !ok {
		err = badMember("press", http.StatusUnprocessableEntity, tongueOf(c).say("grid.nothing"))
	}
	if err != nil {
		return err
	}
	undo := review.Undo{By: by, Press: last, Audit: p.opt.Audit, DryRun: form.Get("go") == ""}
	out, err := p.desk().Undo(ctx, t, undo)
	p.board.forget(t.Tenant, t.ID)
	if err != nil {
		return reviewProblem(err, nil, "")
	}
	if undo.DryRun {
		return p.askBulk(c, t, review.Press{Act: review.Repair, By: by, DryRun: true}, out, form)
	}
	return p.didBulk(c, t, form, out)
}

// didBulk goes back to the rows, and has the page tell what was done to them.
func (p *pages) didBulk(c *gin.Context, t *tasks.Task, form url.Values, out review.Outcome) error {
	back := repairPage{Task: taskCard{taskView: taskView{Served: tasks.Served{ID: t.ID}}}}
	back.filterBy(form.Get)
	said, err := p.saying(c, form.Get("act"), int(out.Done), int(out.Done+out.Moved))
	if err != nil {
		return err
	}
	back.Query.Set("said", said)
	c.Redirect(http.StatusSeeOther, back.at(""))
	return nil
}

// cellsBefore are the cells before an edit, if the row is as that left it.
func cellsBefore(edited, left review.Cells, params string) review.Cells {
	var cells map[string]string
	if json.Unmarshal([]byte(params), &cells) != nil {
		return nil
	}
	out := review.Cells{}
	for column, after := range left {
		if cells[column] != deref(after) {
			return nil
		}
		out[column] = edited[column]
	}
	return out
}
