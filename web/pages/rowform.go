package pages

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// formCell is a field in the form of a row.
type formCell struct {
	gridCell
	ID      string
	Options []render.Choice // values to choose from, the suggested one first
	Focus   bool            // the page opens with the focus in this field
	at      int             // index in the cells of the row
}

// sameRows holds a wrong text and the number of other rows that have this text.
type sameRows struct {
	Text      string
	Count     int64
	Overtaken int64 // rows of Count that do not run after a fix: a newer row of their key has finished
}

// mostOptions is the greatest number of values that the form offers as buttons for a cell.
const mostOptions = 6

// fillRow adds the state of the row, the message about the last act, and the fields to the page. The
// field Faulty receives the form fields of cells at fault, and Others the rest.
func (p *Handlers) fillRow(c *gin.Context, t *tasks.Task, e *events.Event, v *rowPage) (err error) {
	in, loc := request.Printer(c), p.Locale.Localizer(c, t)
	v.State, v.Tone = render.RowState(in, e)
	v.Grid = "/tasks/" + t.ID + "/repair"
	if v.Flash, err = p.messageOf(c, t, "row:"+strconv.FormatInt(e.ID.Seq(), 10)); err != nil {
		return err
	}
	if outcome := p.Render.Outcome(c); outcome.Act == "sent" && e.Status.AtRest() && v.Flash != nil {
		v.Flash.Words = request.Printer(c).Text("told.sent.ran", "row", outcome.Args["row"])
	}
	if v.Refresh = !e.Status.AtRest(); v.Refresh {
		if err := p.fillWhy(c, t, e, v); err != nil {
			return err
		}
	}
	made, err := decisions.New(p.Events).Fixes(c.Request.Context(), events.Lane{Tenant: t.Tenant, Kind: t.Kind})
	if err != nil {
		return err
	}
	for i, cell := range v.Row.Cells {
		one := formCell{gridCell: cell, ID: "c" + strconv.Itoa(i), at: i}
		if cell.Message == "" {
			v.Others = append(v.Others, one)
			continue
		}
		one.Options = optionsOf(loc.Kind, t, cell, made)
		v.Faulty = append(v.Faulty, one)
	}
	if v.May {
		v.Same, err = p.sameRows(c, t, e, len(v.Faulty)+len(v.Row.Notes) == 1)
	}
	return err
}

// fillWhy adds the first reason why the row waits or runs.
func (p *Handlers) fillWhy(c *gin.Context, t *tasks.Task, e *events.Event, v *rowPage) error {
	x, err := p.Explain.Row(c.Request.Context(), p.Locale.Localizer(c, t), t, e)
	if err != nil || len(x.Reasons) == 0 {
		return err
	}
	s := render.TaskFacts{Why: &x.Reasons[0], Hints: request.Caller(c).May(access.OpsRead), Now: p.Now()}
	if err := p.nameAhead(c, &s); err != nil {
		return err
	}
	state := v.Task.RowState(s)
	v.Why, v.WhyAt, v.Retries = &state, s.Why.At, s.Retries()
	return nil
}

// movesOn redirects to the next or previous row if the form requests this and changes no value of the row.
// It reports whether it has redirected.
func (p *Handlers) movesOn(c *gin.Context, t *tasks.Task, e *events.Event, form url.Values) (bool, error) {
	if act := form.Get("act"); act != "next" && act != "previous" || form.Get("same") != "" {
		return false, nil
	}
	v, err := p.newRowPage(c, t, e)
	if err != nil {
		return false, err
	}
	for _, cell := range v.Row.Cells {
		if name := cellName(cell.Column.Name); form.Has(name) && unixLines(form.Get(name)) != unixLines(cell.Text) {
			return false, nil
		}
	}
	to, err := p.onward(c, t, e)
	if err != nil {
		return false, err
	}
	return true, p.backTo(c, render.RowLink(t.ID, to), render.Outcome{Act: "saved.none", Args: map[string]string{"row": strconv.Itoa(e.Row)}})
}

// optionsOf returns the values that the form offers for a cell with an error, the suggested value
// first.
func optionsOf(kind jobs.Kind, t *tasks.Task, cell gridCell, made []decisions.MadeFix) (out []render.Choice) {
	if s := review.Suggest(kind, t, cell.Column.Name, cell.Text, made); s != nil {
		out = append(out, render.Choice{Value: s.With, Words: s.With, Chosen: true})
	}
	for _, known := range cell.Column.Known {
		taken := slices.ContainsFunc(out, func(c render.Choice) bool { return c.Value == known })
		if !taken && len(out) < mostOptions {
			out = append(out, render.Choice{Value: known, Words: known})
		}
	}
	return out
}

// sameRows counts the other open rows with the same wrong text as a row. It returns nil if there are no
// such rows, or if an act cannot replace the text in many rows. It also returns nil if mostPairs other
// wrong texts of the error group are more frequent. The argument `alone` reports whether the row has no
// other fault.
func (p *Handlers) sameRows(c *gin.Context, t *tasks.Task, e *events.Event, alone bool) (*sameRows, error) {
	text, col := textutil.Deref(e.Value), textutil.Deref(e.Col)
	if e.State() != events.Open || text == "" || len(text) > maxWhole || !p.replaceable(c, t, col) {
		return nil, nil
	}
	ctx := c.Request.Context()
	values, err := p.Events.Values(ctx, t.Num, mostPairs, p.ordered(t.Kind))
	for _, value := range values {
		if value.Col != col || value.Code != textutil.Deref(e.Code) || value.Text != text || value.Count == 1 {
			continue
		}
		out := &sameRows{text, value.Count - 1, value.Overtaken}
		if out.Overtaken > 0 && alone { // the row itself may be one of them
			own := map[events.ID]events.KeyVersion{e.ID: {Key: e.Key, Version: e.Score}}
			newer, err := p.Events.Newer(ctx, events.Lane{Tenant: t.Tenant, Kind: t.Kind}, own)
			if err != nil {
				return nil, err
			}
			out.Overtaken -= int64(len(newer))
		}
		return out, nil
	}
	return nil, err
}

// replaceable reports whether an act may replace a text of the column in many rows.
func (p *Handlers) replaceable(c *gin.Context, t *tasks.Task, col string) bool {
	f := fieldOf(p.Locale.Localizer(c, t).Kind, col)
	return f != nil && !f.Sensitive && !f.Key
}

// fixSameText replaces the wrong text of a corrected row in other rows, too. These are all open failed
// rows with the same code and the same wrong text in the column. It does nothing if the new text is empty
// or unchanged, or if an act cannot replace texts of the column in many rows.
func (p *Handlers) fixSameText(
	c *gin.Context, t *tasks.Task, before *events.Event, form url.Values, outcome render.Outcome,
) (render.Outcome, error) {
	col, from := textutil.Deref(before.Col), textutil.Deref(before.Value)
	to := form.Get(cellName(col))
	if to == "" || to == from || !p.replaceable(c, t, col) {
		return outcome, nil
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, review.BulkAction{
		Act: review.Repair, By: request.Actor(c), Fix: &decisions.Fix{Column: col, With: map[string]string{from: to}},
		Filter: events.Filter{
			Code: textutil.Deref(before.Code), Column: col, Resolution: events.Open, Statuses: []events.Status{events.Failed},
		},
	})
	if err != nil || out.Done == 0 {
		return outcome, err
	}
	return render.Outcome{Act: "fix.same", N: int(out.Done), Of: int(out.Done + out.Moved), ID: out.ActID, Args: map[string]string{
		"column": view.Heading(t, col), "from": render.Clip(from), "to": render.Clip(to),
		"wrong": strconv.FormatInt(out.StillInvalid, 10),
	}}, nil
}

// rowOutcome returns the render.Outcome of an act on one row. It contains the id of the act if the act
// can be undone and has changed no other row.
func (p *Handlers) rowOutcome(c *gin.Context, now *events.Event, done string) (render.Outcome, error) {
	outcome := render.Outcome{Act: done, N: 1, Of: 1, Args: map[string]string{"row": strconv.Itoa(now.Row)}}
	if done == "sent" {
		return outcome, nil
	}
	act, err := decisions.New(p.Events).LastActOn(c.Request.Context(), now)
	if err == nil && act != nil && act.Rows == 1 {
		outcome.ID = act.ID
	}
	return outcome, err
}

// positionsRead is the greatest number of rows that positionOf reads.
const positionsRead = 100

// positionOf returns a text with the position of a row among the rows that the user must correct. If the
// position is greater than positionsRead, or the row is not among them, the text has only the number of
// these rows. Without such rows, positionOf returns "".
func (p *Handlers) positionOf(c *gin.Context, t *tasks.Task, e *events.Event) (string, error) {
	groups, err := p.Events.Groups(c.Request.Context(), t.Num)
	all := int64(0)
	for _, g := range groups {
		if g.Status == events.Failed {
			all += g.Count - g.Fixed - g.Skipped
		}
	}
	if err != nil || all == 0 {
		return "", err
	}
	list, err := p.Events.Bad(c.Request.Context(), t.Num, events.Filter{
		Resolution: events.Open, UpTo: e.ID.Seq(), Limit: positionsRead + 1, Statuses: []events.Status{events.Failed},
	})
	if n := len(list); n > 0 && n <= positionsRead && list[n-1].ID == e.ID {
		return request.Printer(c).Text("row.place", "n", n, "all", all), err
	}
	return request.Printer(c).Text("row.left", "n", all), err
}

// nextRow returns the seq of the first row after e that the user must correct. If there is none, it
// searches from the first row of the task. If no row must be corrected, it returns the seq of e.
func (p *Handlers) nextRow(c *gin.Context, t *tasks.Task, e *events.Event) (int64, error) {
	for _, after := range []int64{e.ID.Seq(), 0} {
		list, err := p.Events.Bad(c.Request.Context(), t.Num, events.Filter{
			Resolution: events.Open, After: after, Limit: 1, Statuses: []events.Status{events.Failed},
		})
		if err != nil || len(list) > 0 {
			return append(list, events.Event{ID: e.ID})[0].ID.Seq(), err
		}
	}
	return e.ID.Seq(), nil
}

// previousRow returns the seq of the last row before e that the user must correct; 0 if there is none.
func (p *Handlers) previousRow(c *gin.Context, t *tasks.Task, e *events.Event) (int64, error) {
	row, err := p.Events.BadBefore(c.Request.Context(), t.Num, e.ID.Seq(), events.Filter{
		Resolution: events.Open, Statuses: []events.Status{events.Failed},
	})
	if row == nil {
		return 0, err
	}
	return row.ID.Seq(), err
}
