package xlsx

import "bytes"

// quickCell reads the next cell of a row if the buffer contains the whole cell and the cell has a common
// form:
//
//	<c r="B2" s="1" t="inlineStr"><is><t>lamp</t></is></c>
//	<c r="C2"><v>578.03</v></c>
//	<c r="D2" s="1"/>
//
// For any other cell it reads nothing and returns false. The scanner then reads the cell in tokens.
func (s *SheetReader) quickCell() (bool, error) {
	x := s.x
	if x.empty {
		return false, nil
	}
	b := x.buf[x.pos:x.end]
	t, ok := quickTag(b)
	if !ok {
		return false, nil
	}
	c := rawCell{kind: t.kind, style: t.style, from: len(s.build.Text), value: !t.empty}
	length, text := t.length, []byte(nil)
	if c.value {
		var n int
		if text, c.rich, n, ok = quickValue(b[length:]); !ok {
			return false, nil
		}
		length += n
	}
	x.pos += t.length // the position for an error of the reference
	var err error
	if c.col, err = s.columnOf(t.ref); err != nil {
		return true, err
	}
	x.pos += length - t.length
	s.build.Text = append(s.build.Text, text[:min(len(text), s.limit.KeptBytes())]...)
	return true, s.endCell(c)
}

// quickStart is the start tag of a cell.
type quickStart struct {
	ref    []byte
	style  int
	kind   string
	empty  bool // the tag also ends the cell
	length int
}

// quickTag parses a start tag whose first attribute is the reference, and whose other attributes
// are only style and type.
func quickTag(b []byte) (t quickStart, ok bool) {
	t.kind = "n"
	value, n := quickAttr(b, `<c r="`)
	if n == 0 {
		return t, false
	}
	t.ref, t.length = value, n
	if value, n = quickAttr(b[t.length:], ` s="`); n > 0 {
		t.style = styleNumber(value)
		t.length += n
	}
	if value, n = quickAttr(b[t.length:], ` t="`); n > 0 {
		t.kind = kindName(value)
		t.length += n
	}
	rest := b[t.length:]
	switch {
	case len(rest) > 0 && rest[0] == '>':
		t.length++
		return t, true
	case len(rest) > 1 && rest[0] == '/' && rest[1] == '>':
		t.length += 2
		t.empty = true
		return t, true
	}
	return t, false
}

// quickAttr parses the attribute at the start of `b` if `b` begins with the text in `begin`. It returns
// the value, and the length of the whole attribute. The length is 0 if `b` begins with another text, or
// if the value is incomplete or longer than 11 bytes.
func quickAttr(b []byte, begin string) (value []byte, n int) {
	if len(b) < len(begin) || string(b[:len(begin)]) != begin {
		return nil, 0
	}
	for i, c := range b[len(begin):min(len(b), len(begin)+12)] {
		switch c {
		case '"':
			return b[len(begin) : len(begin)+i], len(begin) + i + 1
		case '<':
			return nil, 0
		}
	}
	return nil, 0
}

// quickForms lists the texts before and after the value in the common forms of a cell.
var quickForms = []struct {
	begin, end string
	rich       bool
}{
	{"<v>", "</v></c>", false},
	{"<is><t>", "</t></is></c>", true},
	{`<is><t xml:space="preserve">`, "</t></is></c>", true},
}

// quickValue returns the value of a cell if its text needs no decoding. It also returns the number of bytes
// up to the end of the cell. The result `rich` reports whether the value is an inline text.
func quickValue(b []byte) (text []byte, rich bool, n int, ok bool) {
	for _, f := range quickForms {
		if len(b) < len(f.begin) || string(b[:len(f.begin)]) != f.begin {
			continue
		}
		b = b[len(f.begin):]
		i := 0
		for i < len(b) && b[i] != '<' && b[i] != '&' && b[i] != '\r' {
			i++
		}
		if !bytes.HasPrefix(b[i:], []byte(f.end)) {
			return nil, false, 0, false
		}
		return b[:i], f.rich, len(f.begin) + i + len(f.end), true
	}
	return nil, false, 0, false
}
