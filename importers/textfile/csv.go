package textfile

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// These are the classes of bytes in a record. The stopByte ends an unquoted cell.
const (
	plainByte uint8 = 0
	quoteByte uint8 = 1
	checkByte uint8 = 2 // a control character except tab, or not ASCII: the cell is vetted
	stopByte  uint8 = 0x80
)

// Reader is a reader of the records of delimited text. A line ends with CR LF, LF or CR, and one file
// may mix them. A Reader is not safe for concurrent use.
type Reader struct {
	in    io.Reader
	buf   []byte
	pos   int
	end   int
	err   error
	class [256]uint8
	delim byte

	odd    int // end in buf of the last line that was found not to be plain
	line   int // line of the next byte, from 1
	from   int // start of the cell in the text of its row
	coded  bool
	limit  tabular.Limits
	build  tabular.Builder
	warn   func(string)
	strays int
}

// newReader returns a reader of a text in UTF-8.
func newReader(in io.Reader, delim byte, limit tabular.Limits, warn func(string)) *Reader {
	c := &Reader{
		in: in, buf: make([]byte, 64<<10), delim: delim, line: 1, limit: limit, warn: warn,
	}
	c.build.Chars = limit.CellChars
	for i := range c.class {
		if i < ' ' && i != '\t' || i >= 0x80 {
			c.class[i] = checkByte
		}
	}
	c.class['"'] = quoteByte
	c.class['\r'], c.class['\n'], c.class[delim] = stopByte, stopByte, stopByte
	return c
}

// more ensures that the buffer has another byte. It returns false at the end of the text, and after an
// error, which it stores in c.err.
func (c *Reader) more() bool {
	for c.pos == c.end && c.err == nil {
		var n int
		n, c.err = c.in.Read(c.buf)
		c.pos, c.end, c.odd = 0, n, 0
	}
	return c.pos < c.end
}

// Next returns the next record, which is valid until the next call. It returns io.EOF only if every
// byte was read and every quote is closed.
func (c *Reader) Next() (tabular.Row, error) {
	if !c.more() {
		return tabular.Row{}, c.err
	}
	if row, ok := c.plain(); ok {
		return row, nil
	}
	c.build.Reset()
	start := c.line
	for col := 0; ; col++ {
		c.from = len(c.build.Text)
		more, vet, err := c.cell()
		if err != nil {
			return tabular.Row{}, err
		}
		c.put(col, vet)
		if !more {
			return c.build.Row(start, col+1), nil
		}
	}
}

// cell reads one cell and the separator after it. The result `more` reports whether another cell of
// the record follows. The result `vet` reports whether the cell is quoted, or has bytes beyond ASCII or
// control characters other than tabs.
func (c *Reader) cell() (more, vet bool, err error) {
	if c.more() && c.buf[c.pos] == '"' {
		more, err = c.quoted()
		return more, true, err
	}
	var seen uint8
	for c.more() {
		window, n := c.buf[c.pos:c.end], 0
		for n < len(window) && c.class[window[n]] < stopByte {
			seen |= c.class[window[n]]
			n++
		}
		c.keep(window[:n])
		c.pos += n
		if n < len(window) {
			more = c.separator()
			break
		}
	}
	if seen&quoteByte > 0 {
		c.stray()
	}
	return more, seen&checkByte > 0, c.fault()
}

// fault returns the error that ended the reading. It returns nil at the end of the text, and while unread
// bytes are left.
func (c *Reader) fault() error {
	if c.pos == c.end && c.err != nil && c.err != io.EOF {
		return c.err
	}
	return nil
}

// keep appends bytes to the cell, which holds at most c.limit.KeptBytes(). It drops further bytes: the
// cell is too long then.
func (c *Reader) keep(b []byte) {
	room := c.limit.KeptBytes() - (len(c.build.Text) - c.from)
	c.build.Text = append(c.build.Text, b[:max(0, min(len(b), room))]...)
}

// separator reads a delimiter or the end of a line. It returns true for a delimiter.
func (c *Reader) separator() bool {
	b := c.buf[c.pos]
	c.pos++
	if b == c.delim {
		return true
	}
	c.line++
	if b == '\r' && c.more() && c.buf[c.pos] == '\n' {
		c.pos++
	}
	return false
}

// stray counts a cell with a quotation mark in its middle. It adds a warning about the first such cell.
func (c *Reader) stray() {
	if c.strays++; c.strays == 1 {
		c.warn(words.English("warning.quote", map[string]string{"line": strconv.Itoa(int(c.line))}))
	}
}

// put adds the cell to its row. The text of a cell right of the last allowed column is dropped. An error
// text of a spreadsheet, such as #REF!, becomes a fault of the cell.
func (c *Reader) put(col int, vet bool) {
	n := len(c.build.Text) - c.from
	if col >= c.limit.Columns {
		if n > 0 {
			c.build.Text, c.build.Beyond = c.build.Text[:c.from], col+1
		}
		return
	}
	switch {
	case n == 0:
	case c.build.Text[c.from] == '#' && n < 9 && isErrorText(string(c.build.Text[c.from:])):
		c.build.Refuse(col, c.from, tabular.Notef(tabular.CodeFormulaError, "formula.error",
			"text", string(c.build.Text[c.from:])))
	case vet || n > c.limit.CellChars:
		c.vetted(col)
	default:
		c.build.Put(col, c.from)
	}
}

// vetted checks the text of a cell, and adds the cell to the row.
func (c *Reader) vetted(col int) {
	broken := c.coded && bytes.Contains(c.build.Text[c.from:], []byte("\uFFFD"))
	c.build.PutText(col, c.from)
	if broken && !c.build.Refused(col) {
		c.build.Refuse(col, c.from, tabular.Notef(tabular.CodeInvalidEncoding, "cell.foreign"))
	}
}

// isErrorText reports whether a text is an error that Excel writes into text files.
func isErrorText(s string) bool {
	switch strings.ToUpper(s) {
	case "#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!":
		return true
	}
	return false
}

// Close does nothing: the upload belongs to the caller.
func (c *Reader) Close() error { return nil }
