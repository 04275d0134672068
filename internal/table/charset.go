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

// Charset writes texts in a character set. Make it with NewCharset. It is not
// safe for concurrent use.
type Charset struct {
	encoding.Encoding               // writes no byte order mark
	Mark              []byte        // byte order mark, of Unicode; else empty
	plain             bool          // it is UTF-8
	has               map[rune]bool // letters that were looked up
}

// NewCharset finds a character set by a WHATWG name of it, in large letters or
// small; empty is utf-8. The one called replacement, which no reader decodes, is none.
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

// CharsetName returns the WHATWG name of the character set that a label means, such as
// utf-16le of utf-16; the label if it means none.
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

// Plain tells whether texts are written as they are, in UTF-8.
func (c *Charset) Plain() bool { return c.plain }

// Spell is a text in which each letter that the set lacks stands as in HTML.
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
