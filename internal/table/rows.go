package table

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rows is a writer of rows in the format of a Spec. Make it with NewRows. It is not safe for
// concurrent use.
type Rows struct {
	columns []Column
	format  string
	comma   byte
	traits  [256]traits
	set     *Charset
	bom     bool
	raw     bool     // texts are not guarded
	names   []string // of JSON values, quoted, with the colon
	scratch []byte
}

// NewRows returns a writer of rows. The argument `columns` holds the columns that s selects.
func NewRows(s Spec, columns []Column) (*Rows, error) {
	set, err := NewCharset(s.Encoding)
	if err != nil {
		return nil, err
	}
	r := &Rows{columns: columns, format: s.Format, comma: ',', set: set, bom: s.BOM, raw: s.Raw}
	switch {
	case s.Format == TSV:
		r.comma = '\t'
	case s.Delimiter != "":
		r.comma = s.Delimiter[0]
	}
	for _, c := range columns {
		r.names = append(r.names, string(appendJSON(nil, c.Name))+":")
	}
	r.traits = traitsOf(r.comma)
	return r, nil
}

// AppendHead appends the head of a file. For a text file, this is the byte order mark, if Spec.BOM is
// set, and the headings. For a workbook, it is the row of headings. A file of JSON lines has no head.
func (r *Rows) AppendHead(b []byte) ([]byte, error) {
	if r.format == XLSX {
		var names []string
		for _, c := range r.columns {
			names = append(names, c.Name)
		}
		return appendHeadRow(b, names, nil), nil
	}
	if r.format == JSONLines {
		return b, nil
	}
	cells := make([]Cell, len(r.columns))
	for i, c := range r.columns {
		cells[i] = Cell{Kind: Text, Text: c.Name}
	}
	if r.bom {
		b = append(b, r.set.Mark...)
	}
	return r.Append(b, cells)
}

// Append appends a row, which has one cell per column.
func (r *Rows) Append(b []byte, cells []Cell) ([]byte, error) {
	switch {
	case r.format == XLSX:
		return appendSheetRow(b, cells, nil), nil
	case r.format == JSONLines:
		return r.appendObject(b, cells), nil
	case r.set.Plain():
		return r.appendLine(b, cells), nil
	}
	r.scratch = r.appendLine(r.scratch[:0], cells)
	coded, err := r.set.NewEncoder().Bytes(r.scratch)
	if err != nil {
		return b, fmt.Errorf("table: %w", err)
	}
	return append(b, coded...), nil
}

// appendLine appends a row of a text file, in UTF-8.
func (r *Rows) appendLine(b []byte, cells []Cell) []byte {
	for i := range cells {
		if i > 0 {
			b = append(b, r.comma)
		}
		switch c := &cells[i]; c.Kind {
		case None:
			if len(cells) == 1 { // a blank line is not a row
				b = append(b, `""`...)
			}
		case Text:
			b = r.appendText(b, c.Text, len(cells) == 1)
		case Boolean:
			b = strconv.AppendBool(b, c.Int != 0)
		case Moment:
			b = c.appendMoment(b)
		default:
			b = c.appendNumber(b)
		}
	}
	return append(b, '\n')
}

// appendText appends a text, with quotes if needed. It applies Guard unless r.raw is set, and replaces
// letters that the character set lacks.
func (r *Rows) appendText(b []byte, s string, alone bool) []byte {
	if s == "" {
		if alone {
			b = append(b, `""`...)
		}
		return b
	}
	if c := s[0] | 0x20; !r.raw && (c < 'a' || c > 'z') && (s[0] < '0' || s[0] > '9') {
		s = Guard(s)
	}
	found := r.traitsIn(s)
	if found&wide != 0 {
		s = r.set.Spell(strings.ToValidUTF8(s, "\uFFFD"))
		found = r.traitsIn(s)
	}
	if found&quoted == 0 && s[0] != ' ' && s[0] != '\t' {
		return append(b, s...)
	}
	return appendQuoted(b, s)
}

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for {
		before, after, found := strings.Cut(s, `"`)
		if b = append(b, before...); !found {
			return append(b, '"')
		}
		b, s = append(b, `""`...), after
	}
}

// appendObject appends a row as a JSON object, on a line of its own.
func (r *Rows) appendObject(b []byte, cells []Cell) []byte {
	b = append(b, '{')
	for i := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r.names[i]...)
		switch c := &cells[i]; c.Kind {
		case None:
			b = append(b, "null"...)
		case Text:
			b = appendJSON(b, c.Text)
		case Boolean:
			b = strconv.AppendBool(b, c.Int != 0)
		case Moment:
			b = append(c.appendInstant(append(b, '"')), '"')
		case Float:
			if _, exact := c.decimals(); !exact {
				b = append(b, "null"...)
				break
			}
			b = c.appendNumber(b)
		default:
			b = c.appendNumber(b)
		}
	}
	return append(b, '}', '\n')
}

// appendInstant appends a time for programs: a date, or a time in RFC 3339.
func (c *Cell) appendInstant(b []byte) []byte {
	t := c.Time.UTC()
	if day(t) && !c.Clock {
		return appendDay(b, t)
	}
	return t.AppendFormat(b, time.RFC3339)
}

// appendJSON appends a text as a JSON string.
func appendJSON(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil { // texts always encode
				return append(b, `""`...)
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
