package textfile

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// plain reads a whole record if the buffer contains all of it, no cell is quoted, and no cell can have a
// fault. Most records meet these conditions. If the result is false, the position in the text is
// unchanged.
func (c *Reader) plain() (tabular.Row, bool) {
	if c.pos < c.odd {
		return tabular.Row{}, false // this line was checked before
	}
	window := c.buf[c.pos:c.end]
	n := bytes.IndexByte(window, '\n')
	if n < 0 {
		n = len(window)
	}
	line := window[:n]
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if n == len(window) || n > c.limit.CellChars || !c.clean(line) {
		c.odd = c.pos + n
		return tabular.Row{}, false
	}
	b := &c.build
	b.Reset()
	b.Text = append(b.Text, line...)
	width := 0
	for from := 0; ; width++ {
		to := bytes.IndexByte(line[from:], c.delim)
		more := to >= 0
		if to += from; !more {
			to = len(line)
		}
		if width == c.limit.Columns || from < to && line[from] == '#' {
			return tabular.Row{}, false
		}
		b.Add(from, to)
		if from = to + 1; !more {
			break
		}
	}
	row := b.Row(c.line, width+1)
	c.pos += n + 1
	c.line++
	return row, true
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// clean reports whether the cells of a line need no check. Such a line has no quotes, no control
// characters except tabs, and only valid UTF-8. If the text was converted to UTF-8, the line also has no
// U+FFFD.
func (c *Reader) clean(line []byte) bool {
	if bytes.IndexByte(line, '"') >= 0 {
		return false
	}
	var high, low uint64
	i := 0
	for ; i+8 <= len(line); i += 8 {
		x := binary.LittleEndian.Uint64(line[i:])
		high |= x
		low |= (x - 0x20*eachByte) &^ x // marks where a byte is below a blank
	}
	for ; i < len(line); i++ {
		high |= uint64(line[i])
		if line[i] < ' ' {
			low = highBits
		}
	}
	if low&highBits > 0 && !onlyTabs(line) {
		return false
	}
	return high&highBits == 0 ||
		utf8.Valid(line) && !(c.coded && bytes.Contains(line, []byte("\uFFFD")))
}

// onlyTabs reports whether tabs are the only control characters of a line.
func onlyTabs(line []byte) bool {
	for _, b := range line {
		if b < ' ' && b != '\t' {
			return false
		}
	}
	return true
}
