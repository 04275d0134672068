package importers

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errUnbalanced is a bracket that closes more than was opened.
var errUnbalanced = errors.New("unbalanced")

// list reads the elements of one JSON list, each as its text: whether that is
// well-formed is for the reader of the row, so that a bad row costs itself.
type list struct {
	r      *bufio.Reader
	number int // of the last element, from 1
	done   bool
	buf    []byte
	size   int  // of the element, however much of it is kept
	depth  int  // of brackets inside the element
	quoted bool // inside a text
	escape bool // behind a backslash
}

func newList(r io.Reader) *list { return &list{r: bufio.NewReaderSize(r, 64<<10)} }

func (l *list) at() int { return l.number }

// next returns the next element. The end is proved by the closing bracket with
// nothing behind it.
func (l *list) next() ([]byte, error) {
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
			return nil, l.fault(err, "there is more behind its end")
		}
		if len(text) == 0 && l.number == 0 {
			return nil, io.EOF
		}
	}
	if len(text) == 0 {
		return nil, l.fault(nil, "there is nothing between two commas")
	}
	l.number++
	if l.size > maxLine {
		return l.buf[:cutCell], errLongLine
	}
	return text, nil
}

// element reads up to the comma or the bracket behind an element.
func (l *list) element() (end byte, err error) {
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
		if l.size++; l.size <= maxLine {
			l.buf = append(l.buf, c)
		}
	}
}

// follow keeps track of where in the element a byte stands.
func (l *list) follow(c byte) {
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

// blanks skips what is blank and returns the byte behind it.
func (l *list) blanks() (byte, error) {
	for {
		c, err := l.r.ReadByte()
		if err != nil || !isBlank(c) {
			return c, err
		}
	}
}

// fault says what is wrong with the list, and behind which row.
func (l *list) fault(err error, what string) error {
	switch {
	case err == io.EOF:
		what = "it is cut off"
	case err == errUnbalanced:
		what = "a bracket closes that was never opened"
	case err != nil:
		return err
	}
	p := problemf(CodeDamagedFile, "The list of rows in JSON is damaged: %s, behind row %d. "+
		"Write it anew and upload the new copy.", what, l.number)
	p.Row = l.number
	return p
}
