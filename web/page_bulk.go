package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// bulkPage asks whether something shall be done to many rows, and tells to how
// many.
type bulkPage struct {
	Title   string
	Refresh bool // never: it asks
	Task    taskCard
	Act     string          // as the form calls it
	Asks    string          // what shall be done
	Out     view.BulkResult // what it would do
	Rows    int64           // that it would do something to
	Hidden  url.Values      // the form once more
	Back    string
}

// cellField stands before the column in the name of a field.
const cellField = "cell:"

func cellName(column string) string { return cellField + column }

func cellOf(field string) (column string, ok bool) { return strings.CutPrefix(field, cellField) }

// unixLines are the lines of a text as files have them; a form sends others.
func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// doneWords is what the act before has done, in words.
func (p *pages) doneWords(c *gin.Context, in tongue) string {
	switch d := p.told(c); d.Act {
	case "set", "replace", "undo", "skip", "open", "resubmit":
		told := in.say("told."+d.Act, "n", d.N)
		if stay := d.Of - d.N; stay > 0 {
			told += " " + in.say("ask.moved", "n", stay)
		}
		return told
	case "sent", "saved.fixed", "saved.open", "saved.skipped", "saved.superseded":
		return in.say("told." + d.Act)
	}
	return ""
}

// postRepair serves POST /tasks/{id}/repair: what shall be done to many rows is
// counted first, and done when it is asked for once more.
func (p *pages) postRepair(c *gin.Context, t *tasks.Task) error {
	form := formOf(c)
	if form.Get("act") == "undo" {
		return p.undoBulk(c, t, form)
	}
	press, err := p.bulkPress(c, t, form)
	if err != nil {
		return err
	}
	out, err := p.pressRows(c.Request.Context(), t, press)
	if err != nil {
		return reviewProblem(err, nil, "")
	}
	if press.DryRun {
		return p.askBulk(c, t, press, out, form)
	}
	return p.didBulk(c, t, form, out)
}

// bulkActs are the acts of the form, and what they do to each row.
var bulkActs = map[string]review.Act{
	"set": review.Repair, "replace": review.Repair, "skip": review.Skip, "open": review.Reopen,
	"resubmit": review.Resubmit,
}

// bulkPress reads what the form asks for.
func (p *pages) bulkPress(c *gin.Context, t *tasks.Task, form url.Values) (out review.Press, err error) {
	act, ok := bulkActs[form.Get("act")]
	if !ok {
		return out, problem.BadMember("act", http.StatusUnprocessableEntity, "The form has no action.")
	}
	out = review.Press{Act: act, By: p.actor(c), Note: form.Get("note"), DryRun: form.Get("go") == ""}
	out.Anyway = form.Get("superseded") == runSuperseded
	if err := checkNote(out.Note); err != nil {
		return out, err
	}
	var in pressRequest
	switch rows := form.Get("rows"); {
	case rows == "all":
		var v repairPage
		v.filterBy(form.Get)
		in.Filter = &v.Filter
		if act != review.Resubmit {
			in.Filter.Status = "" // rows that finished are run again, and nothing else
		}
	case rows != "chosen" || len(form["id"]) == 0:
		return out, problem.BadMember("id", http.StatusUnprocessableEntity, tongueOf(c).say("bulk.none"))
	default:
		in.IDs = form["id"]
	}
	if err := in.rows(t, &out); err != nil {
		return out, err
	}
	if err := checkTraces(c, out.Filter); err != nil {
		return out, err
	}
	column := form.Get("of")
	switch form.Get("act") {
	case "set":
		out.Set = review.Cells{column: textutil.Optional(unixLines(form.Get("value")))}
	case "replace":
		out.Put = &review.Replace{
			Column: column, Find: form.Get("find"), With: form.Get("with"), Whole: form.Get("whole") != "",
		}
		if out.Put.Find == "" && !out.Put.Whole {
			return out, problem.BadMember("find", http.StatusUnprocessableEntity, tongueOf(c).say("bulk.find"))
		}
	}
	return out, checkFinished(t, &out)
}

// askBulk tells what an act would do, and asks.
func (p *pages) askBulk(c *gin.Context, t *tasks.Task, press review.Press, o review.Outcome, form url.Values) error {
	in := tongueOf(c)
	v := bulkPage{
		Task: newTaskCard(t, p.opt.Now(), in), Act: form.Get("act"), Hidden: form,
		Out: p.localizer(c, t).BulkResult(t, press, o),
	}
	switch press.Act {
	case review.Repair, review.TakeBack:
		v.Rows = o.Changed
	case review.Resubmit:
		v.Rows = o.Valid
	default:
		v.Rows = o.Matched
	}
	v.Title = in.say("bulk."+v.Act, "n", v.Rows)
	v.Asks = in.say("ask."+v.Act, "n", v.Rows, "column", shown(form.Get("of")),
		"value", shown(clip(form.Get("value"))), "find", shown(clip(form.Get("find"))), "with", shown(clip(form.Get("with"))))
	back := repairPage{Task: v.Task}
	back.filterBy(form.Get)
	v.Back = back.at("")
	return p.render(c, http.StatusOK, "bulk.html", v)
}

// SeqOf is the seq in the id of a row, for its link.
func (bulkPage) SeqOf(id string) int64 {
	_, seq, _ := events.ParseJobID(id) // it was made here
	return seq
}

// Text is a cell of a sample, or "".
func (bulkPage) Text(cell *string) string { return textutil.Deref(cell) }
