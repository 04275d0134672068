package pages

import (
	"net/http"
	"net/url"
	"strings"
	"time"

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

// hold is the time that corrected rows wait before they run, so that the user can undo the act.
const hold = 10 * time.Second

// causeQuery returns the filter of the rows of a cause that need a correction.
func causeQuery(g view.Group) url.Values {
	q := url.Values{"code": {g.Code}, "resolution": {string(events.Open)}}
	if g.Column != nil {
		q.Set("column", *g.Column)
	}
	if g.Print != nil {
		q.Set("fingerprint", *g.Print)
	}
	return q
}

// postFix serves POST /tasks/{id}/fix: replaces texts of a cause and runs the rows after hold. The act
// "run" runs the rows at once.
func (p *Handlers) postFix(c *gin.Context, t *tasks.Task) error {
	form := request.Form(c)
	if form.Get("act") == "run" {
		return p.runFix(c, t, form.Get("press"))
	}
	with, err := fixOf(form, request.Printer(c).Text("fix.none"))
	if err != nil {
		return err
	}
	press := review.Press{
		Act: review.Repair, By: request.Actor(c), Fix: &with, RunAfter: hold,
		Filter: events.Filter{
			Code: form.Get("code"), Column: form.Get("column"), Resolution: events.Open, Statuses: []events.Status{events.Failed},
		},
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, press)
	if err != nil {
		return rows.ReviewProblem(err, nil, "")
	}
	told := render.Outcome{Act: "fix", N: int(out.Done), Of: int(out.Done + out.Moved), ID: out.ActID, Args: map[string]string{
		"column": labelOf(t, with.Column),
	}}
	if len(with.With) == 1 {
		for from, to := range with.With {
			told.Act, told.Args["from"], told.Args["to"] = "fix.one", render.Clip(from), render.Clip(to)
		}
	}
	return p.backTo(c, t, "/tasks/"+t.ID, told)
}

// fixOf reads the texts to replace and their replacements. Texts without a replacement stay unchanged.
func fixOf(form url.Values, none string) (decisions.Fix, error) {
	out := decisions.Fix{Column: form.Get("column"), With: map[string]string{}}
	to := form["to"]
	for i, from := range form["from"] {
		if i >= len(to) {
			break
		}
		if text := strings.TrimSpace(to[i]); text != "" && text != from {
			out.With[from] = text
		}
		if wrong := review.CheckText(to[i]); wrong != "" {
			return out, problem.BadMember("to", http.StatusUnprocessableEntity, wrong)
		}
	}
	if len(out.With) == 0 {
		return out, problem.BadMember("to", http.StatusUnprocessableEntity, none)
	}
	return out, nil
}

// runFix runs the rows of an act of the user at once.
func (p *Handlers) runFix(c *gin.Context, t *tasks.Task, id string) error {
	out, err := p.Rows.RunAct(c.Request.Context(), t, id)
	if err != nil {
		return err
	}
	return p.backTo(c, t, "/tasks/"+t.ID, render.Outcome{Act: "resubmit", N: int(out.Resubmitted), Of: int(out.Resubmitted)})
}

// backTo redirects to a page of a task, which reports an act.
func (p *Handlers) backTo(c *gin.Context, t *tasks.Task, at string, told render.Outcome) error {
	said, err := p.Render.SealOutcome(c, told)
	if err != nil {
		return err
	}
	sign := "?"
	if strings.Contains(at, "?") {
		sign = "&"
	}
	c.Redirect(http.StatusSeeOther, at+sign+"said="+said)
	return nil
}
