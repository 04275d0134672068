package render

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
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
	By    string // the id of an API key, "" where none is asked for
	Note  string
	Link  string // to the row that it is about, "" for none or several
	Cells []trailCell
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
		task, seq, _ := events.ParseJobID(*e.EventID) // it was made here
		v.Link = RowLink(task, seq)
	}
	for _, column := range rows.SortedKeys(e.After) {
		v.Cells = append(v.Cells, trailCell{column, textutil.Deref(e.Before[column]), textutil.Deref(e.After[column])})
	}
	return v
}
