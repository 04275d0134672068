package importers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// The places of our columns, behind those of the upload.
const (
	ownRow = iota
	ownStatus
	ownCode
	ownColumn
	ownMessage
	ownHint
	ownResult
	ownID
	ownColumns // how many there are
)

// wholeRow is the column of arguments that have no columns.
const wholeRow = "Params"

// layout is how the events of a task become rows of a file, and back.
type layout struct {
	task    *tasks.Task
	columns []tasks.Column
	params  []string           // how params call each column
	fields  []*worker.Field    // of each column; nil if it feeds none
	own     [ownColumns]string // headings of our columns
	plain   bool               // params are no cells: one column shows all
}

func newLayout(t *tasks.Task, kind worker.Kind) *layout {
	b := &layout{task: t, columns: t.Columns}
	switch {
	case len(b.columns) > 0:
	case kind.Schema != nil:
		b.columns = JSONColumns(kind)
	default:
		b.columns, b.plain = []tasks.Column{{Header: wholeRow}}, true
	}
	b.fields = make([]*worker.Field, len(b.columns))
	for i, c := range b.columns {
		b.params = append(b.params, paramName(b.columns, i))
		if kind.Schema == nil {
			continue
		}
		for j := range kind.Schema.Fields {
			if f := &kind.Schema.Fields[j]; f.Name == c.Field {
				b.fields[i] = f
			}
		}
	}
	b.own = ownHeadings(b.columns, kind)
	return b
}

// ownNames are the headings of our columns, and ownPrefix what looseKey makes of the
// word before one that the upload has.
var ownNames = [ownColumns]string{"Row", "Status", "Code", "Column", "Message", "Hint", "Result", "Row id"}

const ownPrefix = "rollcall"

// ownHeadings are the headings of our columns. One that the upload has, or
// that would feed a field of the kind, is called Rollcall's.
func ownHeadings(columns []tasks.Column, kind worker.Kind) [ownColumns]string {
	names := ownNames
	theirs := map[string]bool{}
	for _, c := range columns {
		theirs[looseKey(c.Header)] = true
	}
	taken := func(name string) bool {
		return theirs[looseKey(name)] ||
			kind.Schema != nil && kind.Schema.Match([]string{name}, nil).Fields[0] != nil
	}
	for i := range names {
		for taken(names[i]) {
			names[i] = "Rollcall " + strings.ToLower(names[i])
		}
	}
	return names
}

// looseKey is what a heading is known by, also as the name of a JSON value.
func looseKey(heading string) string { return headKey(strings.ReplaceAll(heading, "_", "")) }

func (b *layout) headings() []string {
	var out []string
	for _, c := range b.columns {
		out = append(out, c.Header)
	}
	return append(out, b.own[:]...)
}

// cells are the texts of one row.
func (b *layout) cells(e *events.Event) ([]string, error) {
	out := make([]string, len(b.columns), len(b.columns)+ownColumns)
	if b.plain {
		out[0] = e.Params
	} else if err := b.fill(out, e); err != nil {
		return nil, err
	}
	own := b.ownOf(e)
	out = append(out, own[:]...)
	if textutil.Deref(e.Code) != CodeTooManyCells {
		return out, nil
	}
	params, err := b.paramsOf(e)
	if err != nil {
		return nil, err
	}
	return append(out, extras(params, len(b.columns))...), nil
}

// ownOf are the texts of our columns.
func (b *layout) ownOf(e *events.Event) [ownColumns]string {
	return [ownColumns]string{
		strconv.Itoa(e.Row), string(e.Status), textutil.Deref(e.Code), textutil.Deref(e.Col), textutil.Deref(e.Message), textutil.Deref(e.Hint),
		resultText(textutil.Deref(e.Result)), e.ID.JobID(b.task.ID),
	}
}

// resultText is what a handler has told of a row: a text as it is, all else as JSON.
func resultText(result string) string {
	var plain string
	if strings.HasPrefix(result, `"`) && json.Unmarshal([]byte(result), &plain) == nil {
		return plain
	}
	return result
}

// fill puts the cells of an event where they stand. They are looked for behind
// the last one first, since most rows have their order.
func (b *layout) fill(out []string, e *events.Event) error {
	next := 0
	err := flatjson.Members(e.Params, func(name, value string) {
		for range b.params {
			at := next % len(b.params)
			if next = at + 1; b.params[at] == name {
				out[at] = value
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("importers: params of row %d: %w", e.Row, err)
	}
	return nil
}

// paramsOf are the cells of an event, by name.
func (b *layout) paramsOf(e *events.Event) (map[string]string, error) {
	if b.plain {
		return map[string]string{wholeRow: e.Params}, nil
	}
	params := map[string]string{}
	err := flatjson.Members(e.Params, func(name, value string) { params[name] = value })
	if err != nil {
		return nil, fmt.Errorf("importers: params of row %d: %w", e.Row, err)
	}
	return params, nil
}

// extras are the cells right of the last heading, of a row that failed for
// them: they stand behind everything else, so that nothing of it is lost.
func extras(params map[string]string, columns int) []string {
	var out []string
	for name, value := range params {
		n, err := strconv.Atoi(strings.TrimPrefix(name, extraPrefix))
		if err != nil || n <= columns || n > maxCol {
			continue
		}
		for len(out) < n-columns {
			out = append(out, "")
		}
		out[n-columns-1] = value
	}
	return out
}

// mark is one cell at fault and why, for the person who looks at it.
type mark struct {
	column int
	why    string
}

// marks are the cells of a bad row that are at fault; the one of its status if
// the row is so as a whole.
func (b *layout) marks(e *events.Event) []mark {
	if !e.Status.Bad() {
		return nil
	}
	faults := e.Faults()
	if len(faults) == 0 {
		faults = []events.Field{{Message: textutil.Deref(e.Message), Hint: textutil.Deref(e.Hint)}}
	}
	var out []mark
	for _, f := range faults {
		out = append(out, mark{b.columnOf(f.Column), strings.Trim(f.Message+"\n"+f.Hint, "\n")})
	}
	return out
}

func (b *layout) columnOf(name string) int {
	for i, c := range b.columns {
		if name != "" && (name == b.params[i] || name == c.Header) {
			return i
		}
	}
	return len(b.columns) + ownStatus
}
