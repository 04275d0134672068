package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// bulkPage holds the data of the page that asks for the confirmation of an act on many rows.
type bulkPage struct {
	Title   string
	Refresh bool // always false: the page is a confirmation
	Task    render.TaskCard
	Act     string          // the name of the act in the form
	Asks    string          // the question of the confirmation; "": the title is the question
	Place   string          // the number of the row in the file if the act affects one row, else the count of rows
	Note    string          // the reason that the user has given; "" for none
	Out     view.BulkResult // the effects of the act
	Rows    int64           // number of rows that the act would change or run
	Anyway  int64           // number of rows that would run with those that newer rows replace; 0: the same rows
	Listed  int64           // number of rows that the act would change or leave invalid
	Kept    int64           // selected rows that need no correction, and that the act would leave unchanged
	Hidden  url.Values      // the fields of the form, to be sent again
	Back    string          // path of the page to which the user can cancel
	ToTask  bool            // Back is the page of the task
	Kind    jobs.Kind       // names columns by their headings in the file
}

// cellField is the prefix of form fields that hold the cell of a column.
const cellField = "cell:"

func cellName(column string) string { return cellField + column }

func cellOf(field string) (column string, ok bool) { return strings.CutPrefix(field, cellField) }

// unixLines replaces CRLF line endings, which browsers send in forms, with LF.
func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// postRepair serves POST /tasks/{id}/repair. It answers an unconfirmed form with a confirmation that
// shows the number of rows. A confirmed form executes the act, or undoes an earlier act.
func (p *Handlers) postRepair(c *gin.Context, t *tasks.Task) error {
	form := request.Form(c)
	if form.Get("act") == "undo" {
		return p.undoBulk(c, t, form)
	}
	action, err := p.readBulkAct(c, t, form)
	if err != nil {
		return err
	}
	out, err := p.Rows.Bulk(c.Request.Context(), t, action)
	if err != nil {
		return rows.ReviewProblem(err, nil, "")
	}
	if action.DryRun {
		return p.askBulk(c, t, action, out, form)
	}
	return p.reportBulk(c, t, form.Get("act"), out)
}

// bulkActs maps the names of acts in the form to acts on rows.
var bulkActs = map[string]review.Act{
	"set": review.Repair, "replace": review.Repair, "skip": review.Skip, "accept": review.Accept,
	"open": review.Reopen, "resubmit": review.Resubmit,
}

// readBulkAct reads the act and the selection of rows from the form.
func (p *Handlers) readBulkAct(c *gin.Context, t *tasks.Task, form url.Values) (out review.BulkAction, err error) {
	act, ok := bulkActs[form.Get("act")]
	if !ok {
		return out, problem.BadMember("act", http.StatusUnprocessableEntity, "The form has no action.")
	}
	out = review.BulkAction{Act: act, By: request.Actor(c), Note: form.Get("note"), DryRun: form.Get("go") == ""}
	out.Anyway = form.Get("superseded") == intake.RunSuperseded
	if form.Has("only") {
		out.Holds = &review.CellFilter{Column: form.Get("column"), Text: form.Get("only")}
	}
	if err := checkReason(c, act == review.Accept, out.Note); err != nil {
		return out, err
	}
	var in rows.BulkRequest
	switch {
	case form.Get("rows") == "all":
		var v repairPage
		v.filterBy(form.Get)
		in.Filter = &v.Filter
		if act != review.Resubmit {
			in.Filter.Status = "" // the only act on finished rows is to resubmit them
		}
	case len(form["id"]) == 0:
		return out, problem.BadMember("id", http.StatusUnprocessableEntity, request.Printer(c).Text("bulk.none"))
	default:
		in.IDs = form["id"]
	}
	if err := in.ReadRows(t, &out); err != nil {
		return out, err
	}
	if err := rows.CheckTraces(c.Request.Context(), out.Filter); err != nil {
		return out, err
	}
	if act == review.Repair && form.Get("fixed") == "" && out.Filter.Resolution == "" {
		out.Filter.Resolution = events.Open // corrected rows stay unchanged
	}
	column := form.Get("of")
	if form.Get("act") == "replace" && form.Has("in") {
		column = form.Get("in")
	}
	switch form.Get("act") {
	case "set":
		out.Set = review.Cells{column: textutil.Optional(unixLines(form.Get("value")))}
	case "replace":
		out.Put = &review.Replace{
			Column: column, Find: form.Get("find"), With: form.Get("with"), Whole: form.Get("whole") != "",
		}
		if out.Put.Find == "" && !out.Put.Whole {
			return out, problem.BadMember("find", http.StatusUnprocessableEntity, request.Printer(c).Text("bulk.find"))
		}
	}
	return out, rows.CheckFinished(t, &out)
}

// checkReason returns a problem if the note is invalid, or if an act that accepts rows lacks a note.
func checkReason(c *gin.Context, accepts bool, note string) error {
	if accepts && strings.TrimSpace(note) == "" {
		return problem.BadMember("note", http.StatusUnprocessableEntity, request.Printer(c).Text("bulk.why"))
	}
	return rows.CheckNote(note)
}

// askBulk answers with the confirmation of an act. The confirmation shows what the act would change.
func (p *Handlers) askBulk(c *gin.Context, t *tasks.Task, action review.BulkAction, o review.Outcome, form url.Values) error {
	in, loc := request.Printer(c), p.Locale.Localizer(c, t)
	v := bulkPage{
		Task: p.card(c, t), Act: form.Get("act"), Hidden: form, Note: action.Note, Listed: o.Listed,
		Out: loc.BulkResult(t, action, o), Kind: loc.Kind,
	}
	switch action.Act {
	case review.Repair, review.UndoAct:
		v.Rows = o.Changed
		if action.Filter.Resolution == events.Open && len(action.Seqs) > 0 {
			v.Kept = int64(len(action.Seqs)) - o.Matched
		}
	case review.Resubmit:
		if v.Rows = o.Valid - o.Superseded; o.Superseded > 0 {
			action.Anyway = true
			all, err := p.Rows.Bulk(c.Request.Context(), t, action)
			if err != nil {
				return rows.ReviewProblem(err, nil, "")
			}
			v.Anyway = all.Valid
		}
	default:
		v.Rows = o.Matched
	}
	row, err := p.onlyRow(c.Request.Context(), t, action, o)
	if err != nil {
		return err
	}
	if v.Place = in.Text("rows", "n", cmp.Or(v.Rows, v.Anyway)); row > 0 {
		v.Place = in.Text("row.title", "row", row)
	}
	v.Title = strings.TrimSuffix(in.Text("bulk."+v.Act, "n", v.Rows), "…")
	v.Asks = in.Text("ask."+v.Act, "n", v.Rows, "column", render.Shown(loc.Kind.Heading(columnOf(action))),
		"value", render.Shown(render.Clip(form.Get("value"))), "find", render.Shown(render.Clip(form.Get("find"))), "with", render.Shown(render.Clip(form.Get("with"))))
	if action.Act == review.Resubmit { // the question has the words of the buttons before and after it
		v.Title, v.Asks = v.Asks, ""
		if v.Rows == 0 && v.Anyway > 0 {
			v.Title = in.Text("repair.overtaken", "n", v.Anyway)
		}
	}
	back := repairPage{Task: v.Task}
	back.filterBy(form.Get)
	if v.Back = back.at(""); form.Get("back") == "task" {
		v.Back, v.ToTask = "/tasks/"+t.ID, true
	}
	return p.Render.Page(c, http.StatusOK, "bulk.html", v)
}

// onlyRow returns the number of the row in the file if an act affects a single row; otherwise 0. It also
// returns 0 if the number is unknown.
func (p *Handlers) onlyRow(ctx context.Context, t *tasks.Task, action review.BulkAction, o review.Outcome) (int, error) {
	switch {
	case o.Matched != 1:
		return 0, nil
	case len(action.Seqs) == 1:
		e, err := p.Events.Get(ctx, events.NewID(t.Num, action.Seqs[0]))
		if err != nil {
			return 0, err
		}
		return e.Row, nil
	case len(o.Sample) == 1:
		return o.Sample[0].Event.Row, nil
	}
	return 0, nil
}

// columnOf returns the column that the field Set or Put of an act names; "" if neither names one.
func columnOf(action review.BulkAction) string {
	for column := range action.Set {
		return column
	}
	if action.Put != nil {
		return action.Put.Column
	}
	return ""
}

// SeqOf returns the seq in the id of a row. The template uses the seq in the link to the row.
func (bulkPage) SeqOf(id string) int64 {
	_, seq, _ := events.ParseJobID(id) // the id comes from this service
	return seq
}

// More returns the number of rows that the act would change or leave invalid, but that the page does not show.
func (v bulkPage) More() int64 { return v.Listed - int64(len(v.Out.Sample)) }

// Text returns the text of a cell; "" for nil.
func (bulkPage) Text(cell *string) string { return textutil.Deref(cell) }
