package xlsx

import (
	"bytes"
	"strconv"
)

// rawCell holds the data of a cell in the XML. The value of the cell is at the end of
// SheetReader.build.Text.
type rawCell struct {
	col     int
	kind    string // type of the cell in the XML; "n" if the XML names none
	style   int    // -1: invalid
	from    int    // start of the value
	formula bool
	value   bool // the cell has a value, perhaps empty
	rich    bool // the value is an inline text
}

// readCell reads the cell whose start tag was just read, and adds it to the row.
func (s *SheetReader) readCell() error {
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
	return s.endCell(c)
}

// endCell adds a cell to the row after its value was read.
func (s *SheetReader) endCell(c rawCell) error {
	if s.blank(c) {
		s.build.Text, c.value = s.build.Text[:c.from], false
	}
	if c.col >= s.limit.Columns {
		if c.value || c.formula {
			s.build.Text, s.build.Beyond = s.build.Text[:c.from], c.col+1
		}
		return nil
	}
	return s.setCell(c)
}

func (s *SheetReader) startCell() (rawCell, error) {
	c := rawCell{kind: "n", from: len(s.build.Text)}
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
	c.col, err = s.columnOf(ref)
	return c, err
}

// blank reports whether the cell has an empty value. Some programs write an empty value for every empty
// cell. White space is a value only in texts. An error is not blank. The empty text that a formula returns
// is not blank either.
func (s *SheetReader) blank(c rawCell) bool {
	value := s.build.Text[c.from:]
	switch {
	case c.kind == "e":
		return false
	case c.rich, c.kind == "str", c.kind == "inlineStr":
		return len(value) == 0 && !c.formula
	}
	return len(bytes.TrimSpace(value)) == 0
}

// styleNumber parses the attribute s of a cell. It returns 0, the default style, if the attribute
// is missing, and -1 if it is invalid.
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

// kindName converts the type of a cell to a string; "n" if the XML names no type. It does not allocate
// memory for known types.
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

// content reads one element inside a cell, such as its value or formula.
func (s *SheetReader) content(c *rawCell) (err error) {
	text := &s.build.Text
	switch string(local(s.x.name)) {
	case "v":
		if c.rich && c.kind == "inlineStr" {
			return s.x.skip() // the inline text takes precedence
		}
		if c.value {
			return s.x.damaged("a cell of row %d has two values", s.row)
		}
		c.value = true
		*text, err = s.x.collect(*text, s.limit.KeptBytes())
	case "is":
		if c.value && (c.rich || c.kind != "inlineStr") {
			return s.x.damaged("a cell of row %d has two values", s.row)
		}
		c.value, c.rich = true, true
		*text, err = s.x.richText((*text)[:c.from], s.limit.KeptBytes())
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
