package xlsx

import (
	"bytes"
	"errors"
	"io"
)

// token is the result of xmlScanner.next.
type token int

const (
	tokenEOF   token = iota // the root is closed and the part is read completely
	tokenStart              // name and attrs are set
	tokenEnd                // name is set; follows an empty element too
	tokenText               // text is set: a piece, perhaps not all of it
)

const (
	xmlBuffer    = 64 << 10 // bytes of the buffer at first
	xmlMarkup    = 4 << 20  // bytes to which the buffer grows for a long tag or comment
	xmlDepth     = 256      // deepest nesting, and most attributes of a tag
	xmlAttrBytes = 8 << 10  // longest attribute that is kept
)

// errMore means that the buffer does not contain the whole token.
var errMore = errors.New("more")

type xmlAttr struct{ name, value []byte }

// xmlScanner is a reader of the XML of one part, as a stream of tokens. It checks that the XML is
// complete: each element is closed, and only blanks surround the one root element. It rejects a DOCTYPE.
// It keeps only a buffer of the part in memory. The fields `name`, `attrs` and `text` point into the
// buffer and are valid until the next call.
type xmlScanner struct {
	part  string
	in    io.Reader
	buf   []byte
	pos   int
	end   int
	off   int64 // offset of buf[0] in the part
	err   error // the error or io.EOF that ended in
	stack []byte
	marks []int
	name  []byte
	attrs []xmlAttr
	text  []byte
	raw   bool // text is CDATA, without entities
	empty bool // the element just started has no content: its end is next
	root  bool // the root has begun
}

func newXMLScanner(part string, in io.Reader) (*xmlScanner, error) {
	x := &xmlScanner{part: part, in: in, buf: make([]byte, xmlBuffer)}
	if err := x.fill(); err != nil && err != io.EOF {
		return nil, err
	}
	x.decodeUTF16()
	return x, nil
}

// next returns the next token. If the error is nil, tokenEOF means that the part is complete.
func (x *xmlScanner) next() (token, error) {
	if x.empty {
		x.empty = false
		return tokenEnd, x.pop()
	}
	for {
		if x.end-x.pos < 2 {
			if err := x.fill(); err == io.EOF {
				if x.pos == x.end {
					return tokenEOF, x.finish()
				}
			} else if err != nil {
				return tokenEOF, err
			}
		}
		if x.buf[x.pos] != '<' {
			if tok, err := x.chars(); tok == tokenText || err != nil {
				return tok, err
			}
			continue
		}
		if tok, err := x.markup(); tok != tokenEOF || err != nil {
			return tok, err
		}
	}
}

// markup reads markup that starts with "<". It returns tokenEOF for markup that it has skipped.
func (x *xmlScanner) markup() (token, error) {
	if x.end-x.pos < 2 {
		return tokenEOF, x.cut(io.EOF)
	}
	switch x.buf[x.pos+1] {
	case '/':
		return tokenEnd, x.endTag()
	case '!':
		return x.declaration()
	case '?':
		return tokenEOF, x.instruction()
	}
	return tokenStart, x.startTag()
}

func (x *xmlScanner) startTag() error {
	for {
		n, err := x.parseTag(x.buf[x.pos+1 : x.end])
		if err == nil {
			x.pos += 1 + n
			return x.push()
		}
		if err != errMore {
			return err
		}
		if err := x.fill(); err != nil {
			return x.cut(err)
		}
	}
}

func (x *xmlScanner) endTag() error {
	n := bytes.IndexByte(x.buf[x.pos:x.end], '>')
	if n < 0 {
		var err error
		if n, err = x.until(">", 2); err != nil {
			return err
		}
	}
	x.name = x.buf[x.pos+2 : x.pos+n]
	for len(x.name) > 0 && isBlank(x.name[len(x.name)-1]) {
		x.name = x.name[:len(x.name)-1]
	}
	x.pos += n + 1
	return x.pop()
}

func (x *xmlScanner) push() error {
	if len(x.marks) == 0 && x.root {
		return x.damaged("there is a second root element")
	}
	if len(x.marks) == xmlDepth {
		return x.damaged("elements are nested too deeply")
	}
	x.root = true
	x.marks = append(x.marks, len(x.stack))
	x.stack = append(x.stack, x.name...)
	return nil
}

func (x *xmlScanner) pop() error {
	d := len(x.marks) - 1
	if d < 0 || !bytes.Equal(x.stack[x.marks[d]:], x.name) {
		return x.damaged("the closing tag of %q does not fit", x.name)
	}
	x.stack = x.stack[:x.marks[d]]
	x.marks = x.marks[:d]
	return nil
}

// until returns the distance in bytes from x.pos to the next occurrence of `text`. The search begins `skip`
// bytes after x.pos.
func (x *xmlScanner) until(text string, skip int) (int, error) {
	for from := skip; ; {
		if x.end-x.pos >= from {
			if i := bytes.Index(x.buf[x.pos+from:x.end], []byte(text)); i >= 0 {
				return from + i, nil
			}
			from = max(skip, x.end-x.pos-len(text)+1)
		}
		if err := x.fill(); err != nil {
			return 0, x.cut(err)
		}
	}
}
