package render

import (
	"slices"
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

// TrailView is one act in the history of a task, as a page shows it.
type TrailView struct {
	At    *string
	Words string
	By    string // the id of an API key or the name of a user; "" without authentication
	Note  string
	Link  string // path of the row's page; "" for an act on no row or several rows
	Cells []TrailCell
	Many  bool // the act has changed several rows, and the cells are from one of them, or the same in all
}

// TrailCell is an edited cell. Column is the heading of its column in the file.
type TrailCell struct{ Column, Before, After string }

// HistoryEntry returns the view of an audit entry about a task of a kind.
func HistoryEntry(in locale.Printer, kind jobs.Kind, e view.AuditEntry) TrailView {
	v := TrailView{At: e.At, By: e.By, Note: e.Note, Words: in.Text("trail."+e.Act, "n", textutil.Deref(e.Touched))}
	if v.By == auth.Local {
		v.By = ""
	}
	if e.EventID != nil {
		task, seq, _ := events.ParseJobID(*e.EventID) // the id comes from this service
		v.Link = RowLink(task, seq)
	}
	for _, column := range rows.SortedKeys(e.After) {
		v.Cells = append(v.Cells, TrailCell{kind.Heading(column), textutil.Deref(e.Before[column]), textutil.Deref(e.After[column])})
	}
	v.Many = e.EventID == nil
	return v
}

// editingActs are the acts, other than an undo, that may change cells.
var editingActs = []string{decisions.ActPatch, decisions.ActGroup, "repair", "correct", "resubmit"}

// unlikeActs are the acts that change each row differently, so that one row is no example of the others.
var unlikeActs = []string{"undo", "correct", decisions.ActGroup}

// ActEntry returns the view of a user's act on rows, without its changes.
func ActEntry(in locale.Printer, act *decisions.Act) TrailView {
	key := act.Act
	if act.Act == "repair" || act.Act == "correct" || act.Act == decisions.ActGroup {
		key = decisions.ActPatch
	}
	v := TrailView{At: textutil.Instant(act.At), By: act.Actor, Words: in.Text("trail."+key, "n", act.Rows)}
	if v.By == auth.Local {
		v.By = ""
	}
	return v
}

// Describe adds the changes of an act: the replaced texts, or the edited cells of `row`, a row of the act. It
// adds no cells for an act that changes each of several rows differently. The argument `row` is nil if the act
// has no rows any more. Sensitive texts are masked.
func (v *TrailView) Describe(
	in locale.Printer, kind jobs.Kind, task string, act *decisions.Act, row *decisions.ActRow,
) {
	v.addCells(kind, task, act, row)
	if len(v.Cells) > 0 && slices.Contains(editingActs, act.Act) {
		v.Words = in.Text("trail.rows", "n", act.Rows)
	}
}

func (v *TrailView) addCells(kind jobs.Kind, task string, act *decisions.Act, row *decisions.ActRow) {
	if act.Rows == 1 && row != nil {
		v.Link = RowLink(task, row.ID.Seq())
	}
	if fix := act.Fixed(); fix != nil {
		for _, from := range rows.SortedKeys(fix.With) {
			shown := func(text string) string { return kind.ShowValue(fix.Column, text) }
			v.Cells = append(v.Cells, TrailCell{kind.Heading(fix.Column), shown(from), shown(fix.With[from])})
		}
		return
	}
	if row == nil || act.Rows > 1 && slices.Contains(unlikeActs, act.Act) {
		return
	}
	v.Many = act.Rows > 1
	for _, column := range rows.SortedKeys(row.Was.After) {
		shown := func(text *string) string { return kind.ShowValue(column, textutil.Deref(text)) }
		v.Cells = append(v.Cells, TrailCell{kind.Heading(column), shown(row.Was.Before[column]), shown(row.Was.After[column])})
	}
}
