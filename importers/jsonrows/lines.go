package jsonrows

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// FormatLines is the format of a text with one JSON object per line.
const FormatLines = "jsonl"

// MaxBytes is the maximum size of the text of a row, in bytes. It is sufficient for params of
// rowschema.MaxParams bytes in which every character is escaped.
const MaxBytes = 2 << 20

// ErrTooLong means that a row has more than MaxBytes bytes. The next call of Next continues after the
// row.
var ErrTooLong = errors.New("line is too long")

// Lines is a Reader of the lines of a text, without blank lines.
type Lines struct {
	r      *bufio.Reader
	number int // number of the last line, from 1
	buf    []byte
}

// NewLines returns a reader of the lines of a text.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 64<<10)} }

// At returns the number of the last row: its line, from 1.
func (l *Lines) At() int { return l.number }

// Next returns the next line that is not blank. Its bytes stay unchanged until the next call. Next
// returns io.EOF only at the end of the text. With ErrTooLong it returns the beginning of the line.
func (l *Lines) Next() ([]byte, error) {
	for {
		line, err := l.read()
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// read returns the next line, or io.EOF at the end of the text. For a line of more than MaxBytes bytes
// it returns ErrTooLong and the beginning of the line.
func (l *Lines) read() ([]byte, error) {
	l.buf = l.buf[:0]
	var err error
	for more := true; more; {
		var part []byte
		part, err = l.r.ReadSlice('\n')
		if more = err == bufio.ErrBufferFull; len(l.buf) <= MaxBytes {
			l.buf = append(l.buf, part...)
		}
	}
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case len(l.buf) == 0:
		return nil, io.EOF
	}
	l.number++
	if len(l.buf) > MaxBytes {
		return l.buf[:tabular.CutText], ErrTooLong
	}
	return l.buf, nil
}
