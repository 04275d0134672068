package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// taskCard is a task with what people are told of it in words.
type taskCard struct {
	view.Task
	tongue tongue
	Words  string
	Tone   string
	Took   *int64 // seconds that the work took, at least 1, if it is done

	ProblemTitle string    // above the problem, if there is one
	Turns        []turning // what a person may do with it now
	Closed       bool      // nothing can be decided about its rows any more
	Overtaken    int64     // of a paused task, waiting rows that a newer row has superseded
}

// turning is a button that controls a task.
type turning struct {
	Verb  string // the last part of its path
	Words string
	Asks  string // what to say before it is done; "" for nothing
}

// turnings are the buttons for a task that stands at status.
func (t tongue) turnings(status tasks.Status) []turning {
	stop := turning{
		"cancel", t.say("turn.cancel"), t.say("turn.cancel.asks"),
	}
	switch status {
	case tasks.Open, tasks.Splitting, tasks.Running:
		return []turning{{"pause", t.say("turn.pause"), ""}, stop}
	case tasks.Paused:
		return []turning{{"resume", t.say("turn.resume"), ""}, stop}
	}
	return nil
}

// Correctable tells whether a corrected file could put rows right.
func (t taskCard) Correctable() bool {
	return t.Done && t.Bad() > 0 && !t.Closed && !t.IsExport()
}

func newTaskCard(t *tasks.Task, now time.Time, in tongue) taskCard {
	card := taskCard{Task: view.OfTask(t, now), Closed: review.Closed(t)}
	card.Name = cmp.Or(card.Name, card.Kind)
	card.tongue, card.Problem = in, problem.OfTask(string(in), t.Problem)
	card.Words, card.Tone = in.statusWords(card.Task)
	card.ProblemTitle, card.Turns = in.problemTitle(card.Task), in.turnings(t.Status)
	if card.Done && t.StartedAt > 0 {
		seconds := max((t.FinishedAt-t.StartedAt+999)/1000, 1)
		card.Took = &seconds
	}
	return card
}

// sum is how many rows of a task stand somewhere.
type sum struct {
	Name  string // as the script calls it
	Words string
	Tone  string // "" for none
	N     int64
}

// Sums are the counts of a task: of one that is done, only those at rest.
func (t taskCard) Sums() []sum {
	c := t.Counts
	out := []sum{
		{"finish", "", toneGood, c.Finish}, {"failed", "", toneWarn, c.ToCorrect()}, {"error", "", toneBad, c.Error},
	}
	if !t.Done {
		out = append(out, sum{Name: "working", N: c.Working},
			sum{Name: "waiting", N: c.Enqueue - c.Retrying}, sum{Name: "retrying", N: c.Retrying})
	}
	if c.Superseded > 0 {
		out = append(out, sum{Name: "superseded", N: c.Superseded})
	}
	if c.Canceled > 0 {
		out = append(out, sum{Name: "canceled", N: c.Canceled})
	}
	for i := range out {
		out[i].Words = t.tongue.say("count." + out[i].Name)
	}
	return out
}

// Bad is how many rows a person has to look at.
func (t taskCard) Bad() int64 { return t.Counts.ToCorrect() + t.Counts.Error }

// taskPage is one task and its bad rows.
type taskPage struct {
	Title    string
	Refresh  bool // without script, the browser looks again by itself
	Task     taskCard
	Groups   []causeView
	Rows     []view.RowError
	Filtered bool         // the rows are those of one cause
	Only     *causeView   // that cause, if there is such a one
	Later    bool         // this is not the first page of the rows
	First    string       // where the rows begin
	More     string       // where the rows go on, or ""
	Trail    []trailView  // what was done to it, newest first
	Repairs  bool         // the reader may put rows right
	Held     bool         // it is not done, and its tenant is paused
	Why      *view.Reason // of a task with waiting rows none of which runs: the reason to mend first
}

// causeView is a cause of bad rows and where its rows are.
type causeView struct {
	view.Group
	Link   string
	Chosen bool
}

// task serves GET /tasks/{id}.
func (p *pages) task(c *gin.Context, t *tasks.Task) error {
	limit, after, err := page(c)
	if err != nil {
		return err
	}
	v := taskPage{Task: newTaskCard(t, p.opt.Now(), tongueOf(c)), Later: after > 0}
	v.Title, v.Refresh = shown(v.Task.Name), !v.Task.Done
	f := events.Filter{
		Code: c.Query("code"), Column: c.Query("column"), Print: c.Query("fingerprint"), After: after, Limit: limit + 1,
		Standing: true,
	}
	if err := checkTraces(c, f); err != nil {
		return err
	}
	if err := p.badRows(c, t, f, &v); err != nil {
		return err
	}
	if v.Trail, err = p.trail(c, t); err != nil {
		return err
	}
	if err := v.stand(c, p, t); err != nil {
		return err
	}
	return p.render(c, http.StatusOK, "task.html", v)
}

// stand fills in what the reader may do with the task, and whether all of its tenant
// rests.
func (v *taskPage) stand(c *gin.Context, p *pages, t *tasks.Task) (err error) {
	if !caller(c).May(access.TasksWrite) {
		v.Task.Turns = nil
	}
	v.Repairs = caller(c).May(access.RowsReview)
	if v.Task.Status == tasks.Paused {
		o, err := p.overtaken(c.Request.Context(), t)
		if err != nil {
			return err
		}
		v.Task.Overtaken = o.Superseded
	}
	if v.Task.Done {
		return nil
	}
	state, err := p.opt.Tasks.TenantState(c.Request.Context(), v.Task.Tenant)
	if err != nil {
		return err
	}
	v.Held = state.Paused
	v.Why, err = p.why(c, t)
	return err
}

// why returns the first reason why a task does not move; nil if one of its rows runs, or
// none waits.
func (p *pages) why(c *gin.Context, t *tasks.Task) (*view.Reason, error) {
	if t.Working > 0 || t.Enqueue == 0 {
		return nil, nil
	}
	x, err := p.Server.explainTask(c.Request.Context(), p.localizer(c, t), t)
	if err != nil || len(x.Reasons) == 0 {
		return nil, err
	}
	return &x.Reasons[0], nil
}

// turnTask serves POST /tasks/{id}/pause, /resume and /cancel of a task's page,
// and goes back to it. A task that has moved on meanwhile shows where it stands.
func (p *pages) turnTask(verb string) func(*gin.Context) error {
	return within(readTimeout, func(c *gin.Context) error {
		var prob *problem.Problem
		err := p.turn(c, verb)
		if err != nil && (!errors.As(err, &prob) || prob.Status != http.StatusConflict) {
			return err
		}
		c.Redirect(http.StatusSeeOther, "/tasks/"+url.PathEscape(c.Param("id")))
		return nil
	})
}

// badRows fills in the causes of a task's bad rows, and a page of the rows.
func (p *pages) badRows(c *gin.Context, t *tasks.Task, f events.Filter, v *taskPage) error {
	ctx := c.Request.Context()
	groups, err := p.opt.Events.Groups(ctx, t.Num)
	if err != nil {
		return err
	}
	v.Filtered = f.Code != "" || f.Column != "" || f.Print != ""
	v.chooseCause(p.localizer(c, t), groups, f)
	list, err := p.opt.Events.Bad(ctx, t.Num, f)
	if err != nil {
		return err
	}
	limit := f.Limit - 1
	v.Rows = p.localizer(c, t).RowErrors(t.ID, list[:min(len(list), limit)])
	v.First = rowsLink(t.ID, f, "")
	if next := eventCursor(list, limit); next != nil {
		v.More = rowsLink(t.ID, f, cursor(*next))
	}
	return nil
}

// chooseCause lists the causes and marks the one that the rows are filtered by.
func (v *taskPage) chooseCause(loc view.Localizer, groups []events.Group, f events.Filter) {
	for _, g := range loc.Groups(groups) {
		of := events.Filter{Code: g.Code, Column: textutil.Deref(g.Column), Print: textutil.Deref(g.Print)}
		cause := causeView{g, rowsLink(v.Task.ID, of, ""), false}
		cause.Chosen = f.Code != "" && f.Code == of.Code && f.Column == of.Column && f.Print == of.Print
		v.Groups = append(v.Groups, cause)
		if cause.Chosen {
			v.Only = &cause
		}
	}
}

// rowsLink is where the bad rows of one cause are; of all causes without code.
func rowsLink(id string, f events.Filter, cursor string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"code": f.Code, "column": f.Column, "fingerprint": f.Print, "cursor": cursor,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	link := "/tasks/" + id
	if len(q) > 0 {
		link += "?" + q.Encode()
	}
	return link + "#rows"
}
