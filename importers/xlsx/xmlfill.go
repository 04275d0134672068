package xlsx

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// fill reads more of the part into the buffer. It returns io.EOF at the end of the part. It returns an
// error of the part only after the scanner has used all bytes before the error.
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

// utf16Order returns the byte order of a part in UTF-16 from its first bytes. It returns false if
// the part is not in UTF-16.
func utf16Order(b []byte) (order unicode.Endianness, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{'<', 0}):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}), bytes.HasPrefix(b, []byte{0, '<'}):
		return unicode.BigEndian, true
	}
	return order, false
}

// decodeUTF16 makes the scanner decode a part in UTF-16 to UTF-8 while it reads the part.
func (x *xmlScanner) decodeUTF16() {
	b := x.buf[:x.end]
	order, ok := utf16Order(b)
	if !ok {
		return
	}
	rest := &tailReader{head: bytes.Clone(b), in: x.in, err: x.err}
	x.in = transform.NewReader(rest, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
	x.end, x.err = 0, nil
}

// tailReader is a reader of the bytes that were read ahead, and then of the rest of the part.
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

// finish checks at the end of the part that all tags are closed and that there was a root element.
func (x *xmlScanner) finish() error {
	if len(x.marks) > 0 || !x.root {
		return x.cut(io.EOF)
	}
	return nil
}

// cut returns a *tabular.Problem in place of io.EOF, because the part ended too early. It returns any other
// error unchanged.
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
