package pages

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// formCell is a field of the form of a row.
type formCell struct {
	gridCell
	ID      string
	Options []render.Choice // values to choose from, the suggested one first
	at      int             // index in the cells of the row
}

// sameRows are other rows with the same text at fault.
type sameRows struct {
	Text  string
	Count int64
}

// mostOptions is the most values that the form of a row offers as buttons.
const mostOptions = 6

// fillRow fills in the state of a row, its fields with the faulty fields first, and the offered acts.
func (p *Handlers) fillRow(c *gin.Context, t *tasks.Task, e *events.Event, v *rowPage) (err error) {
	in, loc := request.Printer(c), p.Locale.Localizer(c, t)
	v.State, v.Tone = rowState(in, e)
	v.Hints, v.Grid = request.Caller(c).May(access.OpsRead), "/tasks/"+t.ID+"/repair"
	if v.Told, err = p.messageOf(c, t, "row:"+strconv.FormatInt(e.ID.Seq(), 10)); err != nil {
		return err
	}
	if !e.Status.Rest() {
		x, err := p.Explain.Row(c.Request.Context(), loc, t, e)
		if err == nil && len(x.Reasons) > 0 {
			v.Why = &x.Reasons[0]
		}
		if err != nil {
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
		one.Options = optionsOf(loc, cell, made)
		v.Faulty = append(v.Faulty, one)
	}
	if v.May {
		v.Same, err = p.sameRows(c, t, e)
	}
	return err
}

// rowState returns the state of a row in words, and its tone.
func rowState(in locale.Printer, e *events.Event) (words, tone string) {
	switch {
	case e.Status == events.Error && e.State() == events.Open:
		return in.Text("grid.error"), render.ToneBad
	case e.Status.Bad() && e.State() == events.Fixed:
		return in.Text("grid.fixed"), render.ToneGood
	case e.Status.Bad() && e.State() == events.Open:
		return in.Text("grid.open"), render.ToneWarn
	case e.Status.Bad():
		return in.Text("grid." + string(e.State())), render.ToneWait
	case e.Status == events.Finish:
		return in.Text("grid.finish"), render.ToneGood
	case e.Status == events.Working:
		return in.Text("grid.working"), render.ToneRun
	}
	return in.Text("grid." + string(e.Status)), render.ToneWait
}

// optionsOf returns the values that the form offers for a cell at fault.
func optionsOf(loc view.Localizer, cell gridCell, made []decisions.MadeFix) (out []render.Choice) {
	if s := review.Suggest(loc.Kind, cell.Column.Name, cell.Text, made); s != nil {
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

// sameRows returns the other open rows with the text at fault of a row, or nil.
func (p *Handlers) sameRows(c *gin.Context, t *tasks.Task, e *events.Event) (*sameRows, error) {
	text, col := textutil.Deref(e.Value), textutil.Deref(e.Col)
	f := fieldOf(p.Locale.Localizer(c, t).Kind, col)
	if e.State() != events.Open || text == "" || len(text) > maxWhole || f == nil || f.Sensitive || f.Key {
		return nil, nil
	}
	values, err := p.Events.Values(c.Request.Context(), t.Num, mostPairs)
	for _, value := range values {
		if value.Col == col && value.Code == textutil.Deref(e.Code) && value.Text == text && value.Count > 1 {
			return &sameRows{text, value.Count - 1}, err
		}
	}
	return nil, err
}

// sameToo writes the new text of a row into all other open rows that have its old text at fault.
func (p *Handlers) sameToo(
	c *gin.Context, t *tasks.Task, was *events.Event, form url.Values, told render.Outcome,
) (render.Outcome, error) {
	col, from := textutil.Deref(was.Col), textutil.Deref(was.Value)
	to := form.Get(cellName(col))
	if to == "" || to == from {
		return told, nil
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, review.Press{
		Act: review.Repair, By: request.Actor(c), Fix: &decisions.Fix{Column: col, With: map[string]string{from: to}},
		Filter: events.Filter{
			Code: textutil.Deref(was.Code), Column: col, Resolution: events.Open, Statuses: []events.Status{events.Failed},
		},
	})
	if err != nil || out.Done == 0 {
		return told, err
	}
	return render.Outcome{Act: "fix.same", N: int(out.Done), Of: int(out.Done + out.Moved), ID: out.ActID, Args: map[string]string{
		"column": labelOf(t, col), "from": render.Clip(from), "to": render.Clip(to),
	}}, nil
}

// rowOutcome reports the act on a row, with its id for the undo.
func (p *Handlers) rowOutcome(c *gin.Context, t *tasks.Task, now *events.Event, done string) (render.Outcome, error) {
	told := render.Outcome{Act: done, N: 1, Of: 1, Args: map[string]string{"row": strconv.Itoa(now.Row)}}
	if done == "sent" {
		return told, nil
	}
	act, err := decisions.New(p.Events).LastActOn(c.Request.Context(), now)
	if err == nil && act != nil && act.Rows == 1 {
		told.ID = act.ID
	}
	return told, err
}

// nextRow returns the seq of the next row that needs a correction: the first after the given row, or
// else the first of the task. Without such a row it returns the given row.
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

// previousRow returns the seq of the last row before the given row that needs a correction, or 0.
func (p *Handlers) previousRow(c *gin.Context, t *tasks.Task, e *events.Event) (int64, error) {
	row, err := p.Events.BadBefore(c.Request.Context(), t.Num, e.ID.Seq(), events.Filter{
		Resolution: events.Open, Statuses: []events.Status{events.Failed},
	})
	if row == nil {
		return 0, err
	}
	return row.ID.Seq(), err
}
