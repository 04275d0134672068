package results

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// wholeRow is the heading of a column that contains all params of a row. A result has this column if
// neither its task nor the kind has columns.
const wholeRow = "Params"

// Layout holds the columns of a result file. It assigns the values of an event to these columns.
type Layout struct {
	task    *tasks.Task
	Columns []tasks.Column
	Params  []string                   // name of each column in params
	fields  []*rowschema.Field         // field of each column; nil if it matches none
	Own     [resultfile.Columns]string // headings of Rollcall's columns
	plain   bool                       // params have no cells: one column shows them all
}

// NewLayout returns the Layout of the result file of a task. For an unregistered kind, the caller
// passes the zero Kind.
func NewLayout(t *tasks.Task, kind jobs.Kind) *Layout {
	b := &Layout{task: t, Columns: t.Columns}
	switch {
	case len(b.Columns) > 0:
	case kind.Schema != nil:
		b.Columns = drafts.JSONColumns(kind)
	default:
		b.Columns, b.plain = []tasks.Column{{Header: wholeRow}}, true
	}
	b.fields = make([]*rowschema.Field, len(b.Columns))
	for i, c := range b.Columns {
		b.Params = append(b.Params, drafts.ParamName(b.Columns, i))
		if kind.Schema == nil {
			continue
		}
		for j := range kind.Schema.Fields {
			if f := &kind.Schema.Fields[j]; f.Name == c.Field {
				b.fields[i] = f
			}
		}
	}
	b.Own = ownHeadings(b.Columns, kind)
	return b
}

// ownHeadings returns the headings of the columns that Rollcall adds. A heading gets the prefix
// "Rollcall" if the upload has the same heading, or if the heading matches a field of the kind.
func ownHeadings(columns []tasks.Column, kind jobs.Kind) [resultfile.Columns]string {
	names := resultfile.Headings
	theirs := map[string]bool{}
	for _, c := range columns {
		theirs[resultfile.HeadingKey(c.Header)] = true
	}
	taken := func(name string) bool {
		return theirs[resultfile.HeadingKey(name)] ||
			kind.Schema != nil && kind.Schema.Match([]string{name}, nil).Fields[0] != nil
	}
	for i := range names {
		for taken(names[i]) {
			names[i] = "Rollcall " + strings.ToLower(names[i])
		}
	}
	return names
}

func (b *Layout) headings() []string {
	var out []string
	for _, c := range b.Columns {
		out = append(out, c.Header)
	}
	return append(out, b.Own[:]...)
}

// cells returns the texts of one row of the result.
func (b *Layout) cells(e *events.Event) ([]string, error) {
	out := make([]string, len(b.Columns), len(b.Columns)+resultfile.Columns)
	if b.plain {
		out[0] = e.Params
	} else if err := b.fill(out, e); err != nil {
		return nil, err
	}
	own := b.ownOf(e)
	out = append(out, own[:]...)
	if textutil.Deref(e.Code) != drafts.CodeTooManyCells {
		return out, nil
	}
	params, err := b.ParamsOf(e)
	if err != nil {
		return nil, err
	}
	return append(out, Extras(params, len(b.Columns))...), nil
}

// statusOf returns the status of a row, or "accepted" for a row that a user has accepted.
func statusOf(e *events.Event) string {
	if e.State() == events.Accepted {
		return string(events.Accepted)
	}
	return string(e.Status)
}

// hintOf returns the hint of a row. For an accepted row, it returns the user who has accepted the row, and
// the reason.
func hintOf(e *events.Event) string {
	if e.State() == events.Accepted {
		return textutil.Deref(e.ResolvedBy) + ": " + textutil.Deref(e.ResolutionNote)
	}
	return textutil.Deref(e.Hint)
}

// ownOf returns the texts of the columns that Rollcall adds.
func (b *Layout) ownOf(e *events.Event) [resultfile.Columns]string {
	return [resultfile.Columns]string{
		strconv.Itoa(e.Row), statusOf(e), textutil.Deref(e.Code), textutil.Deref(e.Col), textutil.Deref(e.Message), hintOf(e),
		resultText(textutil.Deref(e.Result)), e.ID.JobID(b.task.ID),
	}
}

// resultText returns the result that a handler stored for a row. A JSON string is returned without quotes,
// any other value as JSON.
func resultText(result string) string {
	var plain string
	if strings.HasPrefix(result, `"`) && json.Unmarshal([]byte(result), &plain) == nil {
		return plain
	}
	return result
}

// fill writes the cells of an event to their columns. In most rows, the cells have the order of the
// columns. For each cell, fill therefore first tries the column after the column of the previous
// cell.
func (b *Layout) fill(out []string, e *events.Event) error {
	next := 0
	err := flatjson.Members(e.Params, func(name, value string) {
		for range b.Params {
			at := next % len(b.Params)
			if next = at + 1; b.Params[at] == name {
				out[at] = value
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("results: params of row %d: %w", e.Row, err)
	}
	return nil
}

// ParamsOf returns the params of an event as texts, by their names.
func (b *Layout) ParamsOf(e *events.Event) (map[string]string, error) {
	if b.plain {
		return map[string]string{wholeRow: e.Params}, nil
	}
	params := map[string]string{}
	err := flatjson.Members(e.Params, func(name, value string) { params[name] = value })
	if err != nil {
		return nil, fmt.Errorf("results: params of row %d: %w", e.Row, err)
	}
	return params, nil
}

// Extras returns the cells right of the last heading. The argument `columns` is the number of headings. A
// result has these cells after all its columns, so that no value is lost.
func Extras(params map[string]string, columns int) []string {
	var out []string
	for name, value := range params {
		i := drafts.ExtraColumn(name) - columns
		if i < 0 {
			continue
		}
		for len(out) <= i {
			out = append(out, "")
		}
		out[i] = value
	}
	return out
}

type cellFault struct {
	column int
	why    string
}

// cellFaults returns the cells at fault of a row with the status failed or error, with the reasons.
// For a fault of the whole row it returns the status cell. For any other row, and for an accepted
// row, it returns nil.
func (b *Layout) cellFaults(e *events.Event) []cellFault {
	if !e.Status.Bad() || e.State() == events.Accepted {
		return nil
	}
	faults := e.Faults()
	if len(faults) == 0 {
		faults = []events.Field{{Message: textutil.Deref(e.Message), Hint: textutil.Deref(e.Hint)}}
	}
	var out []cellFault
	for _, f := range faults {
		out = append(out, cellFault{b.columnOf(f.Column), strings.Trim(f.Message+"\n"+f.Hint, "\n")})
	}
	return out
}

func (b *Layout) columnOf(name string) int {
	for i, c := range b.Columns {
		if name != "" && (name == b.Params[i] || name == c.Header) {
			return i
		}
	}
	return len(b.Columns) + resultfile.Status
}
