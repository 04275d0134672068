package importers

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/worker"
)

// FormatJSONLines is the format of a file with one JSON object a line.
const FormatJSONLines = "jsonl"

// maxLine bounds a line, in bytes: a row of MaxParams in which every character
// is escaped is below it.
const maxLine = 2 << 20

// errLongLine is a line over maxLine; the next call goes on behind it.
var errLongLine = errors.New("line is too long")

// lines reads a file line by line, leaving out blank ones.
type lines struct {
	r      *bufio.Reader
	number int // of the last line, from 1
	buf    []byte
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

func (l *lines) at() int { return l.number }

// next returns the next line that is not blank, good until the next call.
func (l *lines) next() ([]byte, error) {
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
func (l *lines) read() ([]byte, error) {
	l.buf = l.buf[:0]
	var err error
	for more := true; more; {
		var part []byte
		part, err = l.r.ReadSlice('\n')
		if more = err == bufio.ErrBufferFull; len(l.buf) <= maxLine {
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
	if len(l.buf) > maxLine {
		return l.buf[:cutCell], errLongLine
	}
	return l.buf, nil
}

// InspectJSONLines looks at the first row of a file with one JSON object a
// line, as it comes in the body of a request: UTF-8, and not packed. What is
// wrong with it is a *Problem.
func InspectJSONLines(r io.Reader, kind worker.Kind) (Inspection, error) {
	in, err := inspectRow(newLines(r), kind)
	in.Format, in.Encoding = FormatJSONLines, "utf-8"
	return in, err
}
