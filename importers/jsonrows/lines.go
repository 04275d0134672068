package jsonrows

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// FormatLines is the format of a text with one JSON object a line.
const FormatLines = "jsonl"

// MaxBytes bounds the text of a row. A row of rowschema.MaxParams in which every character is escaped
// is below it.
const MaxBytes = 2 << 20

// ErrTooLong is the error of a row over MaxBytes. The next call continues after it.
var ErrTooLong = errors.New("line is too long")

// Lines reads a text line by line, without blank lines.
type Lines struct {
	r      *bufio.Reader
	number int // number of the last line, from 1
	buf    []byte
}

// NewLines returns a reader of the lines of a text.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 64<<10)} }

// At returns the number of the row that was read last: its line, from 1.
func (l *Lines) At() int { return l.number }

// Next returns the next line that is not blank, good until the next call.
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

// read returns the next line; io.EOF only when nothing is left.
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
