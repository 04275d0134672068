package flatjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// signs maps a character to its escape after the backslash; 0 means that it has no such escape.
var signs = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendText appends a text to `b` as a JSON string, in the form of encoding/json. It does not
// escape HTML, since escapes would make each character of markup six times as long.
func AppendText(b []byte, s string) []byte {
	start, from, checked := len(b), 0, false
	b = append(b, '"')
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' || checked && c >= utf8.RuneSelf {
			continue
		}
		if c >= utf8.RuneSelf && unescapable(s) {
			checked = true
			continue
		}
		if c >= utf8.RuneSelf || signs[c] == 0 {
			return append(b[:start], encoded(s)...)
		}
		b = append(append(b, s[from:i]...), '\\', signs[c])
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}

// unescapable reports whether encoding/json leaves all characters of `s` beyond ASCII unescaped.
func unescapable(s string) bool {
	return utf8.ValidString(s) && !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029")
}

// encoded returns `s` as encoding/json writes it, without escapes for HTML.
func encoded(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // strings always encode
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
