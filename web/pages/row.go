package pages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// rowPage holds the data of the page of one row, which has a field for each cell. Without a script, users
// correct rows on this page instead of the grid.
type rowPage struct {
	Title    string
	Place    string // place of the row among the rows that need a correction; "" for none
	Record   string // text with the number in the address; "" if the title has the same number
	Refresh  bool   // the row is not at rest; such a page has no form that a reload would empty
	Task     render.TaskCard
	May      bool // the user may change the row, and the row can be changed
	Row      gridRow
	State    string // state of the row in words
	Tone     string
	Why      *render.State // why the row waits or runs; nil: it has ended
	WhyAt    *string       // time of Why
	Retries  *render.Retry // next attempt, if the row waits for it
	Grid     string        // address of the repair page of the task
	Faulty   []formCell
	Others   []formCell
	Same     *sameRows // other rows with the same wrong text; nil: none
	Flash    *message
	Conflict bool   // another user has changed the row, so nothing was saved
	Problem  string // why the values were rejected; "" for none
	Undo     bool   // the page offers to undo the last act on the row, which is not an undo; false beside a Flash
	Story    []render.Chapter
	Previous int64 // seq of the previous row that needs a correction; 0: none
	Next     int64 // seq of the next row that needs a correction; 0: none
}

// pageRowOf returns the row that the path names, and its task.
func (p *Handlers) pageRowOf(c *gin.Context) (*tasks.Task, *events.Event, error) {
	seq, err := strconv.ParseInt(c.Param("seq"), 10, 32)
	if err != nil || seq < 1 {
		return nil, nil, problem.ErrNotFound
	}
	return p.Rows.RowOf(c.Request.Context(), c.Param("id"), seq)
}

// row serves GET /tasks/{id}/rows/{seq}.
func (p *Handlers) row(c *gin.Context) error {
	t, e, err := p.pageRowOf(c)
	if err != nil {
		return err
	}
	v, err := p.newRowPage(c, t, e)
	if err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "row.html", v)
}

func (p *Handlers) newRowPage(c *gin.Context, t *tasks.Task, e *events.Event) (rowPage, error) {
	in := request.Printer(c)
	v := rowPage{
		Title: in.Text("row.title", "row", e.Row), Task: p.card(c, t),
		Row: p.gridRow(c, t, e, p.gridColumns(c, t)),
	}
	if seq := int(e.ID.Seq()); seq != e.Row { // the address has another number than the file
		v.Title, v.Record = in.Text("row.title.file", "row", e.Row), in.Text("row.record", "n", seq)
	}
	story, err := p.Render.Story(c.Request.Context(), p.Locale.Localizer(c, t), t, e)
	if err != nil {
		return v, err
	}
	v.Story = story
	v.May = request.Caller(c).May(access.RowsReview) && e.Status.Bad() && !v.Task.Closed
	if err := p.fillRow(c, t, e, &v); err != nil {
		return v, err
	}
	if v.Next, err = p.nextRow(c, t, e); v.Next == e.ID.Seq() {
		v.Next = 0
	}
	if err == nil {
		v.Previous, err = p.previousRow(c, t, e)
	}
	if err != nil || !v.May {
		return v, err
	}
	if len(v.Faulty) > 0 {
		v.Faulty[0].Focus = v.Flash != nil // after an act on this row or the one before it
	}
	if v.Place, err = p.positionOf(c, t, e); err != nil {
		return v, err
	}
	act, err := decisions.New(p.Events).LastActOn(c.Request.Context(), e)
	v.Undo = act != nil && act.Undoes == "" && v.Flash == nil
	return v, err
}

// postRow serves POST /tasks/{id}/rows/{seq}. It saves the values, unless another user has changed the
// row since the form was rendered. If the form requests a run and the values are valid, postRow also
// runs the row again. The act "undo" undoes the last act on the row instead.
func (p *Handlers) postRow(c *gin.Context) error {
	form := request.Form(c)
	t, e, err := p.pageRowOf(c)
	if err != nil {
		return err
	}
	patch, err := p.rowPatch(c, form)
	if err != nil {
		return err
	}
	if same, err := p.movesOn(c, t, e, form); same || err != nil {
		return err
	}
	var changed *rows.ChangedError
	var prob *problem.Problem
	seen, edit := strconv.Itoa(e.Version) == form.Get("version"), p.Rows.EditRow
	if form.Get("act") == "undo" {
		edit = p.undoRow
	}
	now, err := edit(c.Request.Context(), t, e, seen, patch)
	switch {
	case errors.As(err, &changed):
		return p.conflict(c, t, changed.Now, form)
	case err != nil && errors.As(rows.ReviewProblem(err, e, ""), &prob):
		return p.refuseRow(c, t, e, form, prob)
	case err != nil:
		return err
	}
	done, to := "saved."+string(now.State()), int64(0)
	if form.Get("act") == "resubmit" && (now.State() == events.Fixed || now.State() == events.Superseded) {
		var ran bool
		if ran, err = p.runAgain(c, t, now); ran {
			done = "sent"
		}
	}
	if err != nil {
		return err
	}
	outcome, err := p.rowOutcome(c, now, done)
	if err == nil && form.Get("same") != "" {
		outcome, err = p.fixSameText(c, t, e, form, outcome)
	}
	if err == nil {
		to, err = p.onward(c, t, now)
	}
	if err != nil {
		return err
	}
	return p.backTo(c, render.RowLink(t.ID, to), outcome)
}

// onward returns the seq of the row to show next. It is the same row or, if the form requests it, the next
// or previous row that needs a correction.
func (p *Handlers) onward(c *gin.Context, t *tasks.Task, now *events.Event) (int64, error) {
	switch request.Form(c).Get("act") {
	case "next":
		return p.nextRow(c, t, now)
	case "previous":
		to, err := p.previousRow(c, t, now)
		return cmp.Or(to, now.ID.Seq()), err
	}
	return now.ID.Seq(), nil
}

// rowPatch returns the changes that the form of a row describes. The field of a cell has the name
// "cell:" and the column.
func (p *Handlers) rowPatch(c *gin.Context, form url.Values) (review.Patch, error) {
	patch := review.Patch{By: request.Actor(c), Note: form.Get("note"), Cells: review.Cells{}}
	switch form.Get("act") {
	case "undo": // the cells are in the act
	case "skip":
		patch.Resolution, patch.Cells = events.Skipped, nil
	case "accept":
		patch.Resolution, patch.Cells = events.Accepted, nil
	case "open":
		patch.Resolution, patch.Cells = events.Open, nil
	default:
		for name := range form {
			if column, ok := cellOf(name); ok {
				patch.Cells[column] = textutil.Optional(unixLines(form.Get(name)))
			}
		}
		if column, text, ok := strings.Cut(form.Get("pick"), "="); ok { // a button with a known value
			patch.Cells[column] = textutil.Optional(text)
		}
	}
	return patch, checkReason(c, patch.Resolution == events.Accepted, patch.Note)
}

// runAgain resubmits a row, and reports whether the row was resubmitted.
func (p *Handlers) runAgain(c *gin.Context, t *tasks.Task, e *events.Event) (bool, error) {
	out, err := p.Rows.Bulk(c.Request.Context(), t, review.BulkAction{
		Act: review.Resubmit, By: request.Actor(c), Seqs: []int64{e.ID.Seq()},
		Anyway: request.Form(c).Get("superseded") == intake.RunSuperseded,
	})
	return out.Resubmitted > 0, err
}

// conflict answers with the form. The form shows the newer values of the row next to the values that
// the user has typed.
func (p *Handlers) conflict(c *gin.Context, t *tasks.Task, e *events.Event, form url.Values) error {
	v, err := p.newRowPage(c, t, e)
	if err != nil {
		return err
	}
	v.Conflict, v.Flash = true, nil
	v.setTyped(form, true)
	return p.Render.Page(c, http.StatusConflict, "row.html", v)
}

// refuseRow answers with the form. The form shows the values that the user has typed, and why they were
// rejected.
func (p *Handlers) refuseRow(c *gin.Context, t *tasks.Task, e *events.Event, form url.Values, prob *problem.Problem) error {
	v, err := p.newRowPage(c, t, e)
	if err != nil {
		return err
	}
	v.Problem, v.Flash = prob.Localize(c.GetString(request.LangKey)).Detail, nil
	v.setTyped(form, false)
	return p.Render.Page(c, prob.Status, "row.html", v)
}

// setTyped sets the fields to the values that the user has typed. If the argument `beside` is true, fields
// also show the stored values that differ.
func (v *rowPage) setTyped(form url.Values, beside bool) {
	for i := range v.Row.Cells {
		cell := &v.Row.Cells[i]
		if !form.Has(cellName(cell.Column.Name)) {
			continue
		}
		mine, theirs := unixLines(form.Get(cellName(cell.Column.Name))), cell.Text
		if mine != theirs && beside {
			cell.Theirs = &theirs
		}
		cell.Text = mine
	}
	for _, list := range [][]formCell{v.Faulty, v.Others} {
		for i := range list {
			list[i].gridCell = v.Row.Cells[list[i].at]
		}
	}
}
