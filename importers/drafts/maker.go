package drafts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeTooManyCells means that a row has values right of the last heading.
const CodeTooManyCells = "TOO_MANY_CELLS"

// CodeTooFewCells means that a line of a text file has fewer cells than there are headings. The missing
// cell may be anywhere in the line.
const CodeTooFewCells = "TOO_FEW_CELLS"

// Maker is a converter of the rows of one file to drafts of events. It is not safe for concurrent
// use.
type Maker struct {
	kind    jobs.Kind
	Columns []tasks.Column
	names   []string       // names of the columns in params
	heads   [][]byte       // names as JSON, with the colon
	place   map[string]int // field to column
	locals  []numberColumn
	commas  []int // columns whose numbers have a decimal comma
	Even    bool  // the rows of the file also contain the empty cells at their end
	key     keyColumn
	start   int // the column with the time before which a row does not run; -1: none
	buf     []byte
}

// numberColumn is a column whose field has a locale for numbers.
type numberColumn struct {
	col   int
	field *rowschema.Field
}

// NewMaker returns a maker for files with the given columns.
func NewMaker(kind jobs.Kind, columns []tasks.Column) *Maker {
	m := &Maker{kind: kind, Columns: columns, place: map[string]int{}, key: keyColumnOf(kind), start: -1}
	for i, c := range columns {
		name := ParamName(columns, i)
		m.names, m.heads = append(m.names, name), append(m.heads, append(flatjson.AppendText(nil, name), ':'))
		if c.Field != "" {
			m.place[c.Field] = i
		}
	}
	for i := range kind.Schema.Fields {
		f := &kind.Schema.Fields[i]
		if col, ok := m.place[f.Name]; ok && f.Locale != "" {
			m.locals = append(m.locals, numberColumn{col, f})
		}
	}
	return m
}

// localize converts the numbers of Plain cells to the notation of their column's locale. Params then have
// the same form for every format of the file.
func (m *Maker) localize(r tabular.Row) {
	for _, l := range m.locals {
		if l.col < len(r.Cells) && r.Cells[l.col].Plain {
			r.Cells[l.col].Text = l.field.Local(r.Cells[l.col].Text)
		}
	}
}

// Draft validates a row. An invalid row becomes a failed draft with its readable values.
func (m *Maker) Draft(r tabular.Row) events.Draft { return m.judge(r, nil) }

// judge is like Draft, for a row in which the caller has already found faults.
func (m *Maker) judge(r tabular.Row, faults []events.Field) events.Draft {
	m.point(r)
	m.localize(r)
	faults = append(faults, m.cellFaults(r)...)
	cells := func(f *rowschema.Field) string {
		if i, ok := m.place[f.Name]; ok && i < len(r.Cells) && r.Cells[i].Code == "" {
			return r.Cells[i].Text
		}
		return ""
	}
	key, more := m.kind.Check(cells)
	faults = append(faults, without(more, faults)...)
	if m.key.other {
		key = m.key.text(r)
	}
	at, more := m.runAt(r)
	faults = append(faults, without(more, faults)...)
	if len(key) > rowschema.MaxKey {
		key = ""
		if len(faults) == 0 {
			faults = append(faults, m.longKey())
		}
	}
	params := m.params(r)
	if len(params) > rowschema.MaxParams {
		faults = append([]events.Field{rowschema.Say(events.Field{Code: rowschema.CodeRowTooLarge},
			"row.large", "n", strconv.Itoa(rowschema.MaxParams>>10))}, faults...)
		params = m.params(cut(r))
	}
	return events.Draft{Row: r.Number, Key: key, Params: params, Score: m.kind.Schema.Version(cells), RunAt: at, Failure: rowschema.Invalid(faults)}
}

// cut truncates the cells of a row whose params exceed rowschema.MaxParams.
func cut(r tabular.Row) tabular.Row {
	for i, c := range r.Cells {
		r.Cells[i].Text = textutil.Truncate(c.Text, tabular.CutText)
	}
	return r
}

// cellFaults returns the faults that the reader found in the cells of a row. It adds a fault if the row
// has too few or too many cells.
func (m *Maker) cellFaults(r tabular.Row) []events.Field {
	var out []events.Field
	for i, c := range r.Cells {
		if c.Code == "" {
			continue
		}
		out = append(out, m.Fault(i, c))
	}
	if m.Even && r.Width < len(m.Columns) {
		out = append(out, rowschema.Say(events.Field{Code: CodeTooFewCells}, "row.short",
			"cells", strconv.Itoa(r.Width), "headings", strconv.Itoa(len(m.Columns))))
	}
	if width := max(len(r.Cells), r.Beyond); width > len(m.Columns) {
		out = append(out, TooManyCells(width, len(m.Columns)))
	}
	return out
}

// Fault returns the fault of a cell that the reader could not use.
func (m *Maker) Fault(column int, c tabular.Cell) events.Field {
	name := m.Name(column)
	f := events.Field{Column: name, Value: m.kind.ShowValue(name, c.Text), Code: c.Code}
	sentence, pairs := "", []string(nil)
	for name, value := range events.Args(c.Args).Map() {
		if name == events.Sentence {
			sentence = value
		} else {
			pairs = append(pairs, name, value)
		}
	}
	return rowschema.Say(f, sentence, pairs...)
}

// TooManyCells returns the fault of a row with more cells than there are headings.
func TooManyCells(cells, headings int) events.Field {
	return rowschema.Say(events.Field{Code: CodeTooManyCells}, "row.wide",
		"cells", strconv.Itoa(cells), "headings", strconv.Itoa(headings))
}

func (m *Maker) longKey() events.Field {
	f := rowschema.Say(events.Field{Code: rowschema.CodeTooLong}, "key.long", "n", strconv.Itoa(rowschema.MaxKey))
	f.Column = m.key.name
	return f
}

// without returns the faults, except those of columns that have a fault in `known`. So a broken cell is not
// also reported as empty.
func without(faults, known []events.Field) []events.Field {
	if len(known) == 0 {
		return faults
	}
	has := map[string]bool{}
	for _, k := range known {
		has[k.Column] = true
	}
	var out []events.Field
	for _, f := range faults {
		if !has[f.Column] {
			out = append(out, f)
		}
	}
	return out
}

// Name returns the name in params of the column with index `i`: ParamName or, right of the last heading,
// ExtraName.
func (m *Maker) Name(i int) string {
	if i >= len(m.Columns) {
		return ExtraName(i)
	}
	return m.names[i]
}

// ExtraPrefix is the prefix of the names of cells right of the last heading, such as "column 7".
const ExtraPrefix = "column "

// ExtraName returns the name in params of a cell right of the last heading. The argument `i` is the index
// of its column, from 0.
func ExtraName(i int) string { return ExtraPrefix + strconv.Itoa(i+1) }

// ExtraColumn returns the index of the column for a name that ExtraName has made. It returns -1 for any
// other name, and for columns beyond tabular.MaxColumn.
func ExtraColumn(name string) int {
	number, extra := strings.CutPrefix(name, ExtraPrefix)
	n, err := strconv.Atoi(number)
	if !extra || err != nil || n < 1 || n > tabular.MaxColumn || ExtraName(n-1) != name {
		return -1
	}
	return n - 1
}

// ParamName returns the name in params of the column with index `i`. The name is the field that the
// column fills or, without a field, the heading. If the heading is ambiguous, ParamName adds the
// number of the column. A heading is ambiguous if it equals the field of another column, or the
// ExtraName of a cell right of the last heading.
func ParamName(columns []tasks.Column, i int) string {
	c := columns[i]
	if c.Field != "" {
		return c.Field
	}
	if ExtraColumn(c.Header) >= len(columns) {
		return fmt.Sprintf("%s (column %d)", c.Header, i+1)
	}
	for _, other := range columns {
		if other.Field == c.Header {
			return fmt.Sprintf("%s (column %d)", c.Header, i+1)
		}
	}
	return c.Header
}

// params returns the row as a JSON object, with the columns in the order of the file and without
// empty cells.
func (m *Maker) params(r tabular.Row) json.RawMessage {
	b := append(m.buf[:0], '{')
	for i, c := range r.Cells {
		if c.Text == "" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		if i < len(m.heads) {
			b = append(b, m.heads[i]...)
		} else {
			b = append(flatjson.AppendText(b, ExtraName(i)), ':')
		}
		b = flatjson.AppendText(b, c.Text)
	}
	m.buf = append(b, '}')
	return bytes.Clone(m.buf)
}
