package xlsx

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// chars reads text up to the next tag, or at least half of the buffer without a tag. It returns
// tokenEOF for blanks outside of the root.
func (x *xmlScanner) chars() (token, error) {
	n := 0
	for {
		if n = bytes.IndexByte(x.buf[x.pos:x.end], '<'); n >= 0 {
			break
		}
		if n = x.end - x.pos; n >= xmlBuffer/2 {
			n -= openTail(x.buf[x.pos:x.end])
			break
		}
		if err := x.fill(); err != nil {
			return tokenEOF, x.trailing(err)
		}
	}
	x.text, x.raw = x.buf[x.pos:x.pos+n], false
	if len(x.marks) == 0 {
		return tokenEOF, x.outside(n)
	}
	x.pos += n
	return tokenText, nil
}

// outside checks that the text around the root consists only of blanks and a byte order mark.
func (x *xmlScanner) outside(n int) error {
	text := x.text
	if x.off == 0 && x.pos == 0 {
		text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	}
	if skipBlanks(text, 0) < len(text) {
		return x.damaged("there is text outside the root element")
	}
	x.pos += n
	return nil
}

// trailing checks the text after the last tag of the part.
func (x *xmlScanner) trailing(err error) error {
	if len(x.marks) > 0 || !x.root {
		return x.cut(err)
	}
	x.text = x.buf[x.pos:x.end]
	return x.outside(len(x.text))
}

// openTail returns the number of bytes at the end of b that may belong to an entity or line end
// that continues after b.
func openTail(b []byte) int {
	tail := b[max(0, len(b)-16):]
	if i := bytes.LastIndexByte(tail, '&'); i >= 0 && bytes.IndexByte(tail[i:], ';') < 0 {
		return len(tail) - i
	}
	if tail[len(tail)-1] == '\r' {
		return 1
	}
	return 0
}

// collect appends the text of the element whose start tag was just read, and reads up to its end. It
// appends at most `clip` bytes. An element inside the text is an error.
func (x *xmlScanner) collect(dst []byte, clip int) ([]byte, error) {
	most := len(dst) + clip
	for {
		tok, err := x.next()
		if err != nil || tok == tokenEnd {
			return dst, err
		}
		if tok != tokenText {
			return dst, x.damaged("there is an element %q inside a text", x.name)
		}
		if dst, err = x.appendText(dst); err != nil {
			return dst, err
		}
		if len(dst) > most {
			dst = dst[:most]
		}
	}
}

// appendText appends the current piece of text, with entities decoded and LF in place of CR LF.
func (x *xmlScanner) appendText(dst []byte) ([]byte, error) {
	text := x.text
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	if x.raw || bytes.IndexByte(text, '&') < 0 {
		return append(dst, text...), nil
	}
	dst, ok := appendEntities(dst, text)
	if !ok {
		return dst, x.damaged("there is an unknown entity")
	}
	return dst, nil
}

// appendEntities appends text with its entities decoded. It returns false for an entity that is
// neither predefined in XML nor a character number.
func appendEntities(dst, text []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:i]...)
		text = text[i+1:]
		end := bytes.IndexByte(text[:min(len(text), 12)], ';')
		if end < 0 {
			return dst, false
		}
		r, ok := entity(string(text[:end]))
		if !ok {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		text = text[end+1:]
	}
}

func entity(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, false
	}
	return rune(n), true
}
