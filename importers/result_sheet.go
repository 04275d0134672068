package importers

import (
	"bufio"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
)

// maxCellText is how many UTF-16 units Excel takes in a cell.
const maxCellText = 32767

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
		if serial, style := serialDate(text, red); style > 0 {
			s.value(i, serial, style)
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
	s.buf = appendXML(append(s.buf, '>'), fitting(text))
	s.buf = append(s.buf, `</t></is></c>`...)
}

// fitting is a text cut to what a cell takes.
func fitting(s string) string {
	if len(s) <= maxCellText {
		return s
	}
	if cut := firstUnits(s, maxCellText); cut != s {
		return firstUnits(s, maxCellText-1) + "…"
	}
	return s
}

// firstUnits is as much of a text as has n UTF-16 units, by which Excel counts.
func firstUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// appendXML adds a text to XML. What XML cannot hold, and what looks like an
// escape of the workbook, is written as such an escape.
func appendXML(b []byte, s string) []byte {
	for i, r := range s {
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '_' && isEscape(s[i:]):
			b = append(b, "_x005F_"...)
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			b = append(b, "_x"...)
			hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
			b = append(append(b, "0000"[:4-len(hex)]...), hex...)
			b = append(b, '_')
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

func isEscape(s string) bool {
	if len(s) < escapeLen {
		return false
	}
	_, ok := escapeUnit([]byte(s[:escapeLen]))
	return ok
}

// eve is day 0 of a workbook. Its days are right from 1 March 1900 on.
var eve = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// serialDate is a date, as the importers write it, as the number that a
// workbook holds; style 0 if it is none.
func serialDate(text string, red bool) (serial string, style int) {
	form, style := time.DateOnly, styleDate
	if len(text) > len(form) {
		form, style = "2006-01-02T15:04:05", styleTime
	}
	t, err := time.Parse(form, text)
	if err != nil || t.Year() < 1901 || t.Format(form) != text {
		return "", 0
	}
	if red {
		style++
	}
	days := float64(t.Unix()-eve.Unix()) / (24 * 60 * 60)
	return strconv.FormatFloat(days, 'f', -1, 64), style
}
