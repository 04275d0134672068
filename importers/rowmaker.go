package importers

import (
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// CodeTooManyCells means a row with values right of the last heading.
const CodeTooManyCells = "TOO_MANY_CELLS"

// maxKey bounds an ordering key, in bytes.
const maxKey = 256

// rowMaker turns rows of one file into drafts of events.
type rowMaker struct {
	kind    worker.Kind
	columns []tasks.Column
	place   map[string]int // field to column
	buf     []byte
}

func newRowMaker(kind worker.Kind, columns []tasks.Column) *rowMaker {
	m := &rowMaker{kind: kind, columns: columns, place: map[string]int{}}
	for i, c := range columns {
		if c.Field != "" {
			m.place[c.Field] = i
		}
	}
	return m
}

// draft validates a row. A row with a fault becomes a failed event that keeps
// what it could.
func (m *rowMaker) draft(r Row) events.Draft {
	faults := m.cellFaults(r)
	key, more := m.kind.Check(func(f *worker.Field) string {
		if i, ok := m.place[f.Name]; ok && i < len(r.Cells) && r.Cells[i].Code == "" {
			return r.Cells[i].Text
		}
		return ""
	})
	faults = append(faults, without(more, faults)...)
	if len(key) > maxKey {
		key = ""
		if len(faults) == 0 {
			faults = append(faults, m.longKey())
		}
	}
	return events.Draft{
		Row: r.Number, Key: key, Params: m.params(r), Failure: worker.Invalid(faults),
	}
}

// cellFaults are what the reader found wrong.
func (m *rowMaker) cellFaults(r Row) []events.Field {
	var out []events.Field
	for i, c := range r.Cells {
		if c.Code == "" {
			continue
		}
		out = append(out, events.Field{
			Column: m.name(i), Value: c.Text, Code: c.Code, Message: c.Detail,
		})
	}
	if len(r.Cells) > len(m.columns) {
		out = append(out, events.Field{Code: CodeTooManyCells, Message: fmt.Sprintf(
			"The row has %d cells, but there are %d headings", len(r.Cells), len(m.columns))})
	}
	return out
}

func (m *rowMaker) longKey() events.Field {
	f := events.Field{
		Code: worker.CodeTooLong, Message: fmt.Sprintf("The key is longer than %d bytes", maxKey),
	}
	for i := range m.kind.Schema.Fields {
		if m.kind.Schema.Fields[i].Key {
			f.Column = m.kind.Schema.Fields[i].Name
		}
	}
	return f
}

// without leaves out faults of columns that have one already: a broken cell is
// not empty on top.
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

// name is how params call the column: its field or, if none, its heading.
func (m *rowMaker) name(i int) string {
	if i >= len(m.columns) {
		return fmt.Sprintf("column %d", i+1)
	}
	if f := m.columns[i].Field; f != "" {
		return f
	}
	return m.columns[i].Header
}

// params is the row as a JSON object in the order of the file, without empty
// cells.
func (m *rowMaker) params(r Row) json.RawMessage {
	b := append(m.buf[:0], '{')
	for i, c := range r.Cells {
		if c.Text == "" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = appendJSON(b, m.name(i))
		b = append(b, ':')
		b = appendJSON(b, c.Text)
	}
	m.buf = append(b, '}')
	return json.RawMessage(string(m.buf))
}

// appendJSON adds a JSON string. Most cells need no escape.
func appendJSON(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, err := json.Marshal(s)
			if err != nil { // strings always encode
				return append(b, `""`...)
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
