package jsonrows

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// errUnbalanced means that a closing bracket has no opening bracket.
var errUnbalanced = errors.New("unbalanced")

// List is a Reader of the elements of one JSON list. It does not check whether an element is
// well-formed; Parse does. A malformed element with balanced quotes and brackets therefore does not
// affect other elements.
type List struct {
	r      *bufio.Reader
	number int // number of the last element, from 1
	done   bool
	buf    []byte
	size   int  // bytes of the element, including bytes that are not kept
	depth  int  // depth of brackets inside the element
	quoted bool // inside a text
	escape bool // after a backslash
}

// NewList returns a reader of the elements of a list.
func NewList(r io.Reader) *List { return &List{r: bufio.NewReaderSize(r, 64<<10)} }

// At returns the number of the last row: its index in the list, from 1.
func (l *List) At() int { return l.number }

// Next returns the next element. Its bytes stay unchanged until the next call. Next returns io.EOF only
// after the closing bracket, if only blanks follow it. With ErrTooLong it returns the beginning of the
// element. For a damaged list it returns a *tabular.Problem.
func (l *List) Next() ([]byte, error) {
	switch {
	case l.done:
		return nil, io.EOF
	case l.number == 0:
		if first, err := l.blanks(); err != nil || first != '[' {
			return nil, l.fault(err, "it does not begin with a bracket")
		}
	}
	l.buf, l.size = l.buf[:0], 0
	end, err := l.element()
	if err != nil {
		return nil, l.fault(err, "")
	}
	text := bytes.TrimSpace(l.buf)
	if end == ']' {
		l.done = true
		if _, err := l.blanks(); err != io.EOF {
			return nil, l.fault(err, "there is text after its end")
		}
		if len(text) == 0 && l.number == 0 {
			return nil, io.EOF
		}
	}
	if len(text) == 0 {
		return nil, l.fault(nil, "there is nothing between two commas")
	}
	l.number++
	if l.size > MaxBytes {
		return l.buf[:tabular.CutText], ErrTooLong
	}
	return text, nil
}

// element reads up to the comma or the bracket after an element.
func (l *List) element() (end byte, err error) {
	for {
		c, err := l.r.ReadByte()
		if err != nil {
			return 0, err
		}
		if l.depth == 0 && !l.quoted && (c == ',' || c == ']') {
			return c, nil
		}
		l.follow(c)
		if l.depth < 0 {
			return 0, errUnbalanced
		}
		if l.size++; l.size <= MaxBytes {
			l.buf = append(l.buf, c)
		}
	}
}

// follow updates the state after the next byte of the element: the depth of brackets, and whether the
// position is inside a text.
func (l *List) follow(c byte) {
	switch {
	case l.escape:
		l.escape = false
	case l.quoted:
		l.escape = c == '\\'
		l.quoted = c != '"'
	case c == '"':
		l.quoted = true
	case c == '{', c == '[':
		l.depth++
	case c == '}', c == ']':
		l.depth--
	}
}

// blanks skips blanks and returns the first byte after them.
func (l *List) blanks() (byte, error) {
	for {
		c, err := l.r.ReadByte()
		if err != nil || strings.IndexByte(" \t\r\n", c) < 0 {
			return c, err
		}
	}
}

// fault returns the problem of a damaged list, with the number of the last row before the damage. It
// returns an error of the reader unchanged.
func (l *List) fault(err error, what string) error {
	switch {
	case err == io.EOF:
		what = "it is cut off"
	case err == errUnbalanced:
		what = "a bracket closes that was never opened"
	case err != nil:
		return err
	}
	p := tabular.Problemf(tabular.CodeDamagedFile, "The list of rows in JSON is damaged: %s, after row %d. "+
		"Create the file again and upload it.", what, l.number)
	p.Row = l.number
	return p
}
