package render

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// RowLink returns the path of the page of a row.
func RowLink(task string, seq int64) string {
	return "/tasks/" + task + "/rows/" + strconv.FormatInt(seq, 10)
}

// TrailView is one act in the past of a task, in words.
type TrailView struct {
	At    *string
	Words string
	By    string // the id of an API key, "" without authentication
	Note  string
	Link  string // to the row that it is about, "" for none or several
	Cells []trailCell
	Many  bool // the cells are those of one row; other rows had other texts before
}

// trailCell is a cell that was edited.
type trailCell struct{ Column, Before, After string }

// HistoryEntry returns an entry of the audit log of a task with the texts of a page.
func HistoryEntry(in locale.Printer, e view.AuditEntry) TrailView {
	v := TrailView{At: e.At, By: e.By, Note: e.Note, Words: in.Text("trail."+e.Act, "n", *e.Touched)}
	if v.By == auth.Local {
		v.By = ""
	}
	if e.EventID != nil {
		task, seq, _ := events.ParseJobID(*e.EventID) // the id comes from this service
		v.Link = RowLink(task, seq)
	}
	for _, column := range rows.SortedKeys(e.After) {
		v.Cells = append(v.Cells, trailCell{column, textutil.Deref(e.Before[column]), textutil.Deref(e.After[column])})
	}
	return v
}

// ActEntry returns an act of a user on rows with the texts of a page.
func ActEntry(in locale.Printer, act *decisions.Act) TrailView {
	key := act.Act
	switch act.Act {
	case decisions.ActPatch, "repair", "correct", "resubmit":
		key = "rows"
	}
	v := TrailView{At: textutil.Instant(act.At), By: act.Actor, Words: in.Text("trail."+key, "n", act.Rows)}
	if v.By == auth.Local {
		v.By = ""
	}
	return v
}

// Describe adds the changes of an act: the replaced texts, or the cells of one of its rows. Sensitive
// texts are masked.
func (v *TrailView) Describe(kind jobs.Kind, task string, act *decisions.Act, row *decisions.ActRow) {
	if act.Rows == 1 {
		v.Link = RowLink(task, row.ID.Seq())
	}
	if fix := act.Fixed(); fix != nil {
		for _, from := range rows.SortedKeys(fix.With) {
			v.Cells = append(v.Cells, trailCell{fix.Column, from, fix.With[from]})
		}
		return
	}
	v.Many = act.Rows > 1
	for _, column := range rows.SortedKeys(row.Was.After) {
		shown := func(text *string) string { return kind.ShowValue(column, textutil.Deref(text)) }
		v.Cells = append(v.Cells, trailCell{column, shown(row.Was.Before[column]), shown(row.Was.After[column])})
	}
}
