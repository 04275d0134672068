package xlsx

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// setCell converts the value of a cell to text, by the type of the cell.
func (s *SheetReader) setCell(c rawCell) error {
	switch {
	case c.formula && !c.value:
		s.refuse(c, tabular.Notef(tabular.CodeFormulaNotCalculated, "formula.empty"))
	case !c.value:
	case c.rich, c.kind == "str", c.kind == "inlineStr":
		s.build.Text = decodeEscapes(s.build.Text, c.from)
		s.build.PutText(c.col, c.from)
	case c.kind == "s":
		return s.sharedText(c)
	case c.kind == "e":
		s.refuse(c, tabular.Notef(tabular.CodeFormulaError, "formula.error", "text", string(s.build.Text[c.from:])))
	default:
		s.setValue(c)
	}
	return nil
}

// refuse makes the cell invalid, and keeps its text for display.
func (s *SheetReader) refuse(c rawCell, n tabular.Note) { s.build.Refuse(c.col, c.from, n) }

// sharedText replaces the value, which is the number of a shared text, by that text.
func (s *SheetReader) sharedText(c rawCell) error {
	raw := bytes.TrimSpace(s.build.Text[c.from:])
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		n = -1
	}
	text, ok, err := s.book.texts.text(n)
	if err != nil {
		return err
	}
	if !ok {
		s.refuse(c, tabular.Notef(tabular.CodeDamagedCell, "cell.reference", "text", strconv.Quote(string(raw))))
		return nil
	}
	s.build.Text = append(s.build.Text[:c.from], text...)
	s.build.PutText(c.col, c.from)
	return nil
}

// setValue converts a number, date or truth value to text.
func (s *SheetReader) setValue(c rawCell) {
	raw := bytes.TrimSpace(s.build.Text[c.from:])
	format := s.format(c.style)
	if c.kind == "n" && plainNumber(raw) && format == (cellFormat{}) {
		n := copy(s.build.Text[c.from:], raw)
		s.build.Text = s.build.Text[:c.from+n]
		s.build.PutPlain(c.col, c.from)
		return
	}
	if c.kind == "n" && format.date == dateFormat && !s.book.date1904 && isZero(raw) {
		s.build.Text = s.build.Text[:c.from]
		s.noDate(c.col)
		return
	}
	text, no := s.convert(c, format, raw)
	if no.Code != "" {
		s.build.Text = append(s.build.Text[:c.from], tabular.Showable(raw, s.build.Chars)...)
		s.refuse(c, no)
		return
	}
	s.build.Text = append(s.build.Text[:c.from], text...)
	s.build.PutPlain(c.col, c.from)
}

// styleUnknown is the dateKind of a style that the workbook does not define.
const styleUnknown dateKind = 255

func (s *SheetReader) format(style int) cellFormat {
	switch {
	case style >= 0 && style < len(s.book.formats):
		return s.book.formats[style]
	case style == 0 || len(s.book.formats) == 0:
		return cellFormat{}
	}
	return cellFormat{date: styleUnknown}
}

// convert returns the text of a value, or the reason why the value is invalid.
func (s *SheetReader) convert(c rawCell, format cellFormat, raw []byte) (text string, no tabular.Note) {
	ok := false
	switch {
	case c.kind == "b":
		switch string(raw) {
		case "1", "true":
			return "TRUE", tabular.Note{}
		case "0", "false":
			return "FALSE", tabular.Note{}
		}
	case c.kind == "d":
		text, ok = isoText(string(raw))
	case c.kind == "n" && format.date == notDate:
		if text, ok = decimalText(raw); ok {
			text = s.shaped(c.col, format, text)
		}
	case c.kind == "n" && format.date != styleUnknown:
		serial, isNumber := parseNumber(raw)
		if !isNumber {
			break
		}
		text, why := serialText(serial, format.date, s.book.date1904)
		if why != "" {
			return "", tabular.Notef(tabular.CodeInvalidDate, why, "text", string(raw))
		}
		return text, tabular.Note{}
	}
	if !ok {
		return "", tabular.Notef(tabular.CodeDamagedCell, "cell.damaged", "text", fmt.Sprintf("%.40q", raw))
	}
	return text, tabular.Note{}
}
