package importers

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/rollcall-dev/rollcall/events"
)

// sheetWriter writes the rows of one sheet as XML.
type sheetWriter struct {
	*layout
	out  *bufio.Writer
	refs []string // letters of the columns
	row  int      // the last one written
	buf  []byte
}

func newSheetWriter(b *layout, out *bufio.Writer) *sheetWriter {
	return &sheetWriter{layout: b, out: out}
}

// ref is the place of a cell in the row being written, such as "AB12".
func (s *sheetWriter) ref(column int) string {
	for len(s.refs) <= column {
		s.refs = append(s.refs, columnName(len(s.refs)))
	}
	return s.refs[column] + strconv.Itoa(s.row)
}

// head writes the headings.
func (s *sheetWriter) head() error {
	s.begin()
	for i, h := range s.headings() {
		s.text(i, h, styleBold)
	}
	return s.end()
}

// add writes one event. Marked cells stand on red.
func (s *sheetWriter) add(e *events.Event, marks []mark) error {
	cells, err := s.cells(e)
	if err != nil {
		return err
	}
	s.begin()
	for i, text := range cells {
		if text == "" && len(marks) == 0 {
			continue
		}
		red := false
		for _, m := range marks {
			red = red || m.column == i
		}
		s.cell(i, text, red)
	}
	return s.end()
}

func (s *sheetWriter) begin() {
	s.row++
	s.buf = append(s.buf[:0], `<row r="`...)
	s.buf = append(strconv.AppendInt(s.buf, int64(s.row), 10), `">`...)
}

func (s *sheetWriter) end() error {
	_, err := s.out.Write(append(s.buf, `</row>`...))
	return err
}

// cell writes a value: as a number or a date where its column is of that kind
// and the cell then shows this very text, as text otherwise.
func (s *sheetWriter) cell(i int, text string, red bool) {
	switch {
	case text == "" && !red:
	case text == "":
		s.open(i, styleRed)
		s.buf = append(s.buf, `/>`...)
	case i == len(s.columns)+ownRow:
		s.value(i, text, numberStyle(0, red))
	default:
		s.typed(i, text, red)
	}
}

func (s *sheetWriter) typed(i int, text string, red bool) {
	if plain, digits := s.number(i, text); digits >= 0 {
		s.value(i, plain, numberStyle(digits, red))
		return
	}
	if i < len(s.columns) && s.fields[i] != nil && s.fields[i].Type == "date" {
		if serial, clock, ok := table.Serial(text); ok {
			s.value(i, serial, dateStyle(clock, red))
			return
		}
	}
	s.text(i, text, textStyle(red))
}

func (s *sheetWriter) open(i, style int) {
	s.buf = append(append(s.buf, `<c r="`...), s.ref(i)...)
	s.buf = append(s.buf, '"')
	if style > 0 {
		s.buf = strconv.AppendInt(append(s.buf, ` s="`...), int64(style), 10)
		s.buf = append(s.buf, '"')
	}
}

// value writes a number.
func (s *sheetWriter) value(i int, number string, style int) {
	s.open(i, style)
	s.buf = append(append(s.buf, `><v>`...), number...)
	s.buf = append(s.buf, `</v></c>`...)
}

// text writes a text, whatever it looks like.
func (s *sheetWriter) text(i int, text string, style int) {
	s.open(i, style)
	s.buf = append(s.buf, ` t="inlineStr"><is><t`...)
	if strings.TrimSpace(text) != text {
		s.buf = append(s.buf, ` xml:space="preserve"`...)
	}
	s.buf = table.AppendXML(append(s.buf, '>'), table.Fitting(text))
	s.buf = append(s.buf, `</t></is></c>`...)
}
