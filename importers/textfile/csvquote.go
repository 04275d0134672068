package textfile

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

type quoting struct {
	line   int  // line where the cell begins
	stray  bool // a quotation mark inside was neither doubled nor the last
	mark   int  // length of the row's text before that mark
	blanks bool // only blanks have followed since
}

// quoted reads a cell that starts with a quotation mark, and the separator after it. It drops blanks
// between the closing quotation mark and the separator.
//
// A quotation mark inside the cell is doubled. A mark that is not doubled is kept if the cell ends on
// the line where it begins, and no delimiter follows the mark inside the cell. Otherwise, the mark
// results in a *tabular.Problem, because it could hide all following rows in one cell.
func (c *Reader) quoted() (more bool, err error) {
	q := quoting{line: c.line}
	c.pos++
	for c.more() {
		b := c.buf[c.pos]
		switch {
		case q.stray && !q.blanks && q.line != c.line:
			return false, c.ambiguous(q)
		case b == '"':
			c.pos++
			if closed, more, err := c.closing(&q); closed || err != nil {
				return more, err
			}
		case c.class[b] != stopByte:
			c.run(&q)
		case q.stray && q.blanks:
			c.build.Text = c.build.Text[:q.mark]
			return c.separator(), nil
		case q.stray:
			return false, c.ambiguous(q)
		case b == c.delim:
			c.keep(c.buf[c.pos : c.pos+1])
			c.pos++
		default:
			c.newline()
		}
	}
	if err := c.fault(); err != nil {
		return false, err
	}
	if q.stray && q.blanks {
		c.build.Text = c.build.Text[:q.mark]
		return false, nil
	}
	return false, c.unclosed(q)
}

// run appends the bytes up to the next quotation mark, delimiter or line end to the cell.
func (c *Reader) run(q *quoting) {
	i := c.pos
	for i < c.end && c.class[c.buf[i]]&^checkByte == plainByte {
		q.blanks = q.blanks && c.buf[i] == ' '
		i++
	}
	c.keep(c.buf[c.pos:i])
	c.pos = i
}

// newline appends a line end inside quotes to the cell. CR LF becomes LF.
func (c *Reader) newline() {
	b := c.buf[c.pos : c.pos+1]
	cr := b[0] == '\r'
	c.pos++
	c.line++
	if cr && c.more() && c.buf[c.pos] == '\n' {
		b = c.buf[c.pos : c.pos+1]
		c.pos++
	} else if cr {
		b = []byte{'\r'}
	}
	c.keep(b)
}

// closing decides whether a quotation mark inside a quoted cell ends the cell. If it does, closing also
// reads the separator.
func (c *Reader) closing(q *quoting) (closed, more bool, err error) {
	switch {
	case !c.more():
		return true, false, c.fault()
	case c.class[c.buf[c.pos]] == stopByte:
		return true, c.separator(), nil
	case c.buf[c.pos] == '"':
		c.pos++
		q.blanks = false
		c.keep([]byte{'"'})
		return false, false, nil
	}
	if !q.stray {
		q.stray, q.mark, q.blanks = true, len(c.build.Text), true
		c.stray()
	} else {
		q.blanks = false
	}
	c.keep([]byte{'"'})
	return false, false, nil
}

func (c *Reader) ambiguous(q quoting) error {
	return &tabular.Problem{
		Code: tabular.CodeStrayQuote, Row: q.line,
		Detail: fmt.Sprintf("The cell with a quotation mark that starts on line %d cannot be read "+
			"in one way only: a quotation mark inside it must be doubled. "+
			"Correct that line, or save the file as .xlsx.", q.line),
	}
}

func (c *Reader) unclosed(q quoting) error {
	if q.stray {
		return c.ambiguous(q)
	}
	return &tabular.Problem{
		Code: tabular.CodeUnclosedQuote, Row: q.line,
		Detail: fmt.Sprintf("The quotation mark that opens a cell on line %d is never closed. "+
			"Close it, or delete it.", q.line),
	}
}
