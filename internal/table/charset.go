package table

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Charset is an encoder of texts in a character set. Make it with NewCharset. It is not safe for
// concurrent use.
type Charset struct {
	encoding.Encoding               // writes no byte order mark
	Mark              []byte        // byte order mark, for Unicode; else empty
	plain             bool          // it is UTF-8
	has               map[rune]bool // caches whether the set has a letter
}

// NewCharset returns a character set by its WHATWG name, in upper or lower case; empty means utf-8. It
// rejects unknown names, and the set named "replacement", which no reader decodes.
func NewCharset(name string) (*Charset, error) {
	c := &Charset{has: map[rune]bool{}}
	enc, err := htmlindex.Get(cmp.Or(name, "utf-8"))
	if err == nil {
		name, err = htmlindex.Name(enc)
	}
	if err == nil && enc == encoding.Replacement {
		err = errNoText
	}
	if err != nil {
		return nil, fmt.Errorf("table: character set %q: %w", name, err)
	}
	switch name {
	case "utf-8":
		c.Encoding, c.Mark, c.plain = unicode.UTF8, []byte("\xef\xbb\xbf"), true
	case "utf-16le":
		c.Encoding, c.Mark = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), []byte("\xff\xfe")
	case "utf-16be":
		c.Encoding, c.Mark = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), []byte("\xfe\xff")
	default:
		c.Encoding = enc
	}
	return c, nil
}

// CharsetName returns the WHATWG name of the character set with a label, such as utf-16le for
// utf-16. It returns an unknown label unchanged.
func CharsetName(label string) string {
	enc, err := htmlindex.Get(label)
	if err != nil {
		return label
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return label
	}
	return name
}

var errNoText = errors.New("it holds no text")

// Plain reports whether the set is UTF-8, so that texts are written unchanged.
func (c *Charset) Plain() bool { return c.plain }

// Spell returns a text with HTML escapes for letters that the set lacks.
func (c *Charset) Spell(s string) string {
	lacks := func(r rune) bool { return !c.knows(r) }
	if c.plain && utf8.ValidString(s) || strings.IndexFunc(s, lacks) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if c.knows(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.String()
}

func (c *Charset) knows(r rune) bool {
	if r < utf8.RuneSelf {
		return true
	}
	known, ok := c.has[r]
	if !ok {
		_, err := c.NewEncoder().String(string(r))
		known = err == nil
		c.has[r] = known
	}
	return known
}
