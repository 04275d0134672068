package xlsx

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// fill reads more of the part into the window. It returns io.EOF at the end, and a fault of the part
// only after all bytes before it were used.
func (x *xmlScanner) fill() error {
	if x.err != nil {
		return x.err
	}
	if x.pos > 0 {
		copy(x.buf, x.buf[x.pos:x.end])
		x.off += int64(x.pos)
		x.end -= x.pos
		x.pos = 0
	}
	if x.end == len(x.buf) {
		if len(x.buf) >= xmlMarkup {
			return x.damaged("a tag is too long")
		}
		x.buf = append(x.buf, make([]byte, len(x.buf))...)
	}
	before := x.end
	for x.end < len(x.buf) && x.err == nil {
		var n int
		n, x.err = x.in.Read(x.buf[x.end:])
		x.end += n
	}
	if x.end == before {
		return x.err
	}
	return nil
}

// decodeUTF16 decodes a part in UTF-16 to UTF-8 while it is read.
func (x *xmlScanner) decodeUTF16() {
	b := x.buf[:x.end]
	var order unicode.Endianness
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{'<', 0}):
		order = unicode.LittleEndian
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}), bytes.HasPrefix(b, []byte{0, '<'}):
		order = unicode.BigEndian
	default:
		return
	}
	rest := &tailReader{head: bytes.Clone(b), in: x.in, err: x.err}
	x.in = transform.NewReader(rest, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
	x.end, x.err = 0, nil
}

// tailReader returns the bytes that were read ahead, then the rest.
type tailReader struct {
	head []byte
	in   io.Reader
	err  error // the error of in after head; nil: not read yet
}

func (t *tailReader) Read(p []byte) (int, error) {
	if len(t.head) > 0 {
		n := copy(p, t.head)
		t.head = t.head[n:]
		return n, nil
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.in.Read(p)
}

// finish checks the end of the part: all tags closed, one root seen.
func (x *xmlScanner) finish() error {
	if len(x.marks) > 0 || !x.root {
		return x.cut(io.EOF)
	}
	return nil
}

// cut turns the end of the part inside markup into a Problem.
func (x *xmlScanner) cut(err error) error {
	if err != io.EOF {
		return err
	}
	return x.damaged("the text is cut off")
}

func (x *xmlScanner) damaged(format string, args ...any) error {
	args = append(args, x.off+int64(x.pos))
	return tabular.Damaged(x.part, format+" at byte %d", args...)
}
