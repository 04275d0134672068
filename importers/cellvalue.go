package importers

import (
	"bytes"
	"fmt"
	"strconv"
)

// setCell turns the value into text by the type of the cell.
func (s *sheetReader) setCell(c rawCell) error {
	empty := len(s.build.text) == c.from
	switch {
	case c.formula && (!c.value || empty && c.kind != "str" && c.kind != "e"):
		s.refuse(c, CodeFormulaNotCalculated,
			"The formula has no stored result. Open the file in Excel, save it and upload it again.")
	case !c.value:
	case c.rich, c.kind == "str", c.kind == "inlineStr":
		s.build.text = decodeEscapes(s.build.text, c.from)
		s.build.putText(c.col, c.from)
	case c.kind == "s":
		return s.sharedText(c)
	case c.kind == "e":
		s.refuse(c, CodeFormulaError, fmt.Sprintf(
			"The cell shows the error %s instead of a value.", s.build.text[c.from:]))
	case c.kind == "n" && empty:
	default:
		s.setValue(c)
	}
	return nil
}

// refuse makes a cell that cannot be used; its text stays for showing.
func (s *sheetReader) refuse(c rawCell, code, detail string) {
	s.build.refuse(c.col, c.from, note{code, detail})
}

// sharedText looks up the text that the value is the number of.
func (s *sheetReader) sharedText(c rawCell) error {
	raw := bytes.TrimSpace(s.build.text[c.from:])
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		n = -1
	}
	text, ok, err := s.book.texts.text(n)
	if err != nil {
		return err
	}
	if !ok {
		s.refuse(c, CodeDamagedCell, fmt.Sprintf(
			"The cell points to text number %q, which the workbook does not hold. "+
				"Type the value anew.", raw))
		return nil
	}
	s.build.text = append(s.build.text[:c.from], text...)
	s.build.putText(c.col, c.from)
	return nil
}

// setValue writes a number, date or truth value as text.
func (s *sheetReader) setValue(c rawCell) {
	raw := bytes.TrimSpace(s.build.text[c.from:])
	if c.kind == "n" && plainNumber(raw) && s.dateKind(c.style) == notDate {
		n := copy(s.build.text[c.from:], raw)
		s.build.text = s.build.text[:c.from+n]
		s.build.put(c.col, c.from)
		return
	}
	text, code, detail := s.convert(c, raw)
	if code != "" {
		s.build.text = append(s.build.text[:c.from], showable(raw, s.build.chars)...)
		s.refuse(c, code, detail)
		return
	}
	s.build.text = append(s.build.text[:c.from], text...)
	s.build.put(c.col, c.from)
}

// styleUnknown is the kind of a style that the workbook does not hold.
const styleUnknown dateKind = 255

func (s *sheetReader) dateKind(style int) dateKind {
	switch {
	case style >= 0 && style < len(s.book.formats):
		return s.book.formats[style]
	case style == 0 || len(s.book.formats) == 0:
		return notDate
	}
	return styleUnknown
}

// convert returns the text of a value, or why there is none.
func (s *sheetReader) convert(c rawCell, raw []byte) (text, code, detail string) {
	kind, ok := s.dateKind(c.style), false
	switch {
	case c.kind == "b":
		switch string(raw) {
		case "1", "true":
			return "TRUE", "", ""
		case "0", "false":
			return "FALSE", "", ""
		}
	case c.kind == "d":
		text, ok = isoText(string(raw))
	case c.kind == "n" && kind == notDate:
		text, ok = decimalText(raw)
	case c.kind == "n" && kind != styleUnknown:
		serial, isNumber := parseNumber(raw)
		if !isNumber {
			break
		}
		text, why := serialText(serial, kind, s.book.date1904)
		if why != "" {
			return "", CodeInvalidDate, fmt.Sprintf(
				"The number %s is shown as a date, but %s. Type the date anew.", raw, why)
		}
		return text, "", ""
	}
	if !ok {
		return "", CodeDamagedCell, fmt.Sprintf(
			"The stored value %.40q does not fit the type of the cell. Type the value anew.", raw)
	}
	return text, "", ""
}
