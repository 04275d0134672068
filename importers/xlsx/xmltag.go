package xlsx

import (
	"bytes"
	"strings"
)

// notName holds true for each byte that ends a name.
var notName = [256]bool{
	' ': true, '\t': true, '\r': true, '\n': true, '/': true, '>': true,
	'=': true, '<': true, '"': true, '\'': true, '&': true,
}

func nameLen(b []byte) int {
	for i, c := range b {
		if notName[c] {
			return i
		}
	}
	return len(b)
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// parseTag parses a start tag in b, which begins after "<", and returns its length. It returns
// errMore if b does not contain the whole tag.
func (x *xmlScanner) parseTag(b []byte) (int, error) {
	i := nameLen(b)
	if i == len(b) {
		return 0, errMore
	}
	if i == 0 || b[i] == '=' {
		return 0, x.damaged("a tag is malformed")
	}
	x.name, x.attrs, x.empty = b[:i], x.attrs[:0], false
	for {
		gap := i
		i = skipBlanks(b, i)
		if i+1 >= len(b) && (i == len(b) || b[i] != '>') {
			return 0, errMore
		}
		if b[i] == '>' {
			return i + 1, nil
		}
		if b[i] == '/' {
			if b[i+1] != '>' {
				return 0, x.damaged("a tag is malformed")
			}
			x.empty = true
			return i + 2, nil
		}
		if gap == i {
			return 0, x.damaged("a tag is malformed")
		}
		n, err := x.parseAttr(b[i:])
		if err != nil {
			return 0, err
		}
		i += n
	}
}

// parseAttr parses one name="value" at the start of b, and returns its length. It returns errMore if b
// does not contain the whole attribute.
func (x *xmlScanner) parseAttr(b []byte) (int, error) {
	n := nameLen(b)
	eq := skipBlanks(b, n)
	q := skipBlanks(b, eq+1)
	if q >= len(b) {
		return 0, errMore
	}
	if n == 0 || b[eq] != '=' || (b[q] != '"' && b[q] != '\'') {
		return 0, x.damaged("an attribute is malformed")
	}
	v := bytes.IndexByte(b[q+1:], b[q])
	if v < 0 {
		return 0, errMore
	}
	a := xmlAttr{b[:n], b[q+1 : q+1+v]}
	if bytes.IndexByte(a.value, '<') >= 0 {
		return 0, x.damaged("an attribute is malformed")
	}
	for _, other := range x.attrs {
		if bytes.Equal(other.name, a.name) {
			return 0, x.damaged("an attribute is there twice")
		}
	}
	if len(x.attrs) == xmlDepth {
		return 0, x.damaged("a tag has too many attributes")
	}
	x.attrs = append(x.attrs, a)
	return q + v + 2, nil
}

// local returns a name without its namespace prefix.
func local(name []byte) []byte {
	return name[bytes.IndexByte(name, ':')+1:]
}

// attr returns the value of an attribute of the last start tag, with its entities decoded. The argument
// `name` has no prefix. The value is "" if the attribute is missing or longer than xmlAttrBytes.
func (x *xmlScanner) attr(name string) string {
	for _, a := range x.attrs {
		if string(local(a.name)) == name && len(a.value) <= xmlAttrBytes {
			return decodeAttr(a.value)
		}
	}
	return ""
}

func decodeAttr(v []byte) string {
	if bytes.IndexByte(v, '&') < 0 {
		return string(v)
	}
	out, ok := appendEntities(nil, v)
	if !ok {
		return string(v)
	}
	return string(out)
}

// truth reports whether the value of a boolean attribute is true.
func truth(v string) bool { return v == "1" || strings.EqualFold(v, "true") }
