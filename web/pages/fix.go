package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// undoTime is the time for which corrected rows wait before they run. Meanwhile, the user can undo the
// correction.
const undoTime = 10 * time.Second

// fixRefused is the text key, below "told.", of the message that a fix was rejected, because a new value
// breaks a rule of its column. Such a fix changes no row.
const fixRefused = "fix.refused"

// causeQuery returns URL parameters that select the rows of a cause that need a correction.
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

// postFix serves POST /tasks/{id}/fix. It replaces wrong texts in the rows of an error group. Rows without
// another fault run after undoTime or, if keptBack returns true, when a user resumes the task. With the act
// "run", postFix immediately runs rows that wait after an earlier fix.
func (p *Handlers) postFix(c *gin.Context, t *tasks.Task) error {
	form := request.Form(c)
	if form.Get("act") == "run" {
		return p.runFix(c, t, form.Get("act_id"))
	}
	with, err := fixOf(form, request.Printer(c).Text("fix.none"))
	if err != nil {
		return err
	}
	loc, wrong, first := p.Locale.Localizer(c, t), map[string]events.Field{}, ""
	for _, from := range rows.SortedKeys(with.With) {
		to, fault := review.TypedFix(loc.Kind, t, with.Column, with.With[from])
		with.With[from] = to
		if fault != nil {
			wrong[from], first = loc.Field(*fault), cmp.Or(first, to)
		}
	}
	if len(wrong) > 0 {
		return p.refuseFix(c, t, form, wrong, render.Outcome{Act: fixRefused, Args: map[string]string{
			"column": view.Heading(t, with.Column), "to": render.Clip(first),
		}})
	}
	action := review.BulkAction{
		Act: review.Repair, By: request.Actor(c), Fix: &with, RunAfter: undoTime,
		Filter: events.Filter{
			Code: form.Get("code"), Column: form.Get("column"), Resolution: events.Open, Statuses: []events.Status{events.Failed},
		},
	}
	if keptBack(t) {
		action.RunAfter = 0 // the rows run when a user resumes the task
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, action)
	if err != nil {
		return rows.ReviewProblem(err, nil, "")
	}
	outcome := render.Outcome{Act: "fix", N: int(out.Done), Of: int(out.Done + out.Moved), ID: out.ActID, Args: map[string]string{
		"column": view.Heading(t, with.Column), "wrong": strconv.FormatInt(out.StillInvalid, 10),
	}}
	if len(with.With) == 1 {
		for from, to := range with.With {
			outcome.Act, outcome.Args["from"], outcome.Args["to"] = "fix.one", render.Clip(from), render.Clip(to)
		}
	}
	return p.backTo(c, "/tasks/"+t.ID, outcome)
}

// refuseFix answers with the page of the task and the reason why the fix was rejected. The card of the error
// group keeps the texts that the user has typed. The argument `wrong` maps each text to the fault of its
// replacement.
func (p *Handlers) refuseFix(
	c *gin.Context, t *tasks.Task, form url.Values, wrong map[string]events.Field, outcome render.Outcome,
) error {
	return p.showTask(c, t, http.StatusUnprocessableEntity, func(v *taskPage) {
		v.Flash = &message{Words: outcomeText(request.Printer(c), outcome), Task: t.ID, None: true}
		for i := range v.Board.Cards {
			if card := &v.Board.Cards[i]; card.Code == form.Get("code") && textutil.Deref(card.Column) == form.Get("column") {
				card.keep(form["from"], form["to"])
				card.noteRejected(request.Printer(c), wrong)
			}
		}
	})
}

// fixOf reads the invalid texts and their replacements from the form. It ignores an invalid text whose
// replacement is empty or the same text. It returns an error if a replacement is invalid. If no replacement is
// left, it returns an error with the message `none`.
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

// runFix immediately runs the rows that an act of the user has corrected.
func (p *Handlers) runFix(c *gin.Context, t *tasks.Task, id string) error {
	out, err := p.Rows.RunAct(c.Request.Context(), t, id)
	if err != nil {
		return err
	}
	return p.backTo(c, "/tasks/"+t.ID, render.Outcome{Act: "resubmit", N: int(out.Resubmitted), Of: int(out.Resubmitted)})
}

// backTo redirects to a page, which then shows the message about an act.
func (p *Handlers) backTo(c *gin.Context, at string, outcome render.Outcome) error {
	said, err := p.Render.SealOutcome(c, outcome)
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
