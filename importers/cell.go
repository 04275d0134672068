package importers

import (
	"bytes"
	"fmt"
	"strconv"
)

// rawCell is a cell as the XML tells it; its value lies at the end of the
// row's text.
type rawCell struct {
	col     int
	kind    string // one of the types of a workbook, "n" if not told
	style   int    // -1 means one that is no number
	from    int    // start of the value
	formula bool
	value   bool // there is a value, perhaps an empty one
	rich    bool // the value is text that stands in the cell
}

// readCell reads the cell just started into the row.
func (s *sheetReader) readCell() error {
	c, err := s.startCell()
	if err != nil {
		return err
	}
	for {
		tok, err := s.x.next()
		if err != nil {
			return err
		}
		if tok == tokenEnd {
			break
		}
		if tok == tokenText {
			err = s.x.blankText()
		} else {
			err = s.content(&c)
		}
		if err != nil {
			return err
		}
	}
	if c.col >= s.limit.Columns && (c.value || c.formula) {
		return s.tooWide(c.col)
	}
	return s.setCell(c)
}

func (s *sheetReader) startCell() (rawCell, error) {
	c := rawCell{kind: "n", from: len(s.build.text)}
	var ref []byte
	for _, a := range s.x.attrs {
		switch string(a.name) {
		case "r":
			ref = a.value
		case "s":
			c.style = styleNumber(a.value)
		case "t":
			c.kind = kindName(a.value)
		}
	}
	var err error
	c.col, err = s.place(ref)
	return c, err
}

// styleNumber reads the s of a cell; empty is the default style.
func styleNumber(v []byte) int {
	if len(v) == 0 {
		return 0
	}
	n, err := strconv.Atoi(string(v))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// kindName returns the type of a cell without an allocation for those known.
func kindName(v []byte) string {
	switch string(v) {
	case "s":
		return "s"
	case "n", "":
		return "n"
	case "str":
		return "str"
	case "inlineStr":
		return "inlineStr"
	case "b":
		return "b"
	case "e":
		return "e"
	case "d":
		return "d"
	}
	return string(v)
}

// content reads one element inside a cell.
func (s *sheetReader) content(c *rawCell) (err error) {
	text := &s.build.text
	switch string(local(s.x.name)) {
	case "v":
		if c.value {
			return s.x.damaged("a cell of row %d has two values", s.row)
		}
		c.value = true
		*text, err = s.x.collect(*text, s.limit.clip())
	case "is":
		if c.value {
			return s.x.damaged("a cell of row %d has two values", s.row)
		}
		c.value, c.rich = true, true
		*text, err = s.x.richText(*text, s.limit.clip())
	case "f":
		c.formula = true
		err = s.x.skip()
	case "extLst":
		err = s.x.skip()
	default:
		err = s.x.damaged("there is an unknown element %q", s.x.name)
	}
	return err
}

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
