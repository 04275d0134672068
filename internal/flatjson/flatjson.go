// Package flatjson parses JSON objects whose values are all strings, such as the params of a row.
// It also writes JSON strings.
package flatjson

import (
	"encoding/json"
	"unicode/utf8"
)

// Members calls the function `put` for each member of a JSON object of strings. It is faster than
// encoding/json for an object without blanks and without numeric escapes, such as \u00e4. For such an
// object it calls `put` in the order of the text, and for other objects in any order. It may call `put`
// twice for a name; the caller then uses the last value. After an error, it may have called `put` for some
// members.
func Members(params string, put func(name, value string)) error {
	if utf8.ValidString(params) && plainMembers(params, put) {
		return nil
	}
	texts := map[string]string{}
	if err := json.Unmarshal([]byte(params), &texts); err != nil {
		return err
	}
	for name, value := range texts {
		put(name, value)
	}
	return nil
}

// plainMembers is Members for an object without blanks and numeric escapes. For any other object it returns
// false, possibly after it has called `put` for the first members.
func plainMembers(s string, put func(name, value string)) bool {
	if s == "{}" {
		return true
	}
	for before := byte('{'); ; before = ',' {
		if s == "" || s[0] != before {
			return false
		}
		name, rest, ok := plainText(s[1:])
		if !ok || rest == "" || rest[0] != ':' {
			return false
		}
		value, rest, ok := plainText(rest[1:])
		if !ok {
			return false
		}
		put(name, value)
		if s = rest; s == "}" {
			return true
		}
	}
}

// plainText splits off a JSON string without numeric escapes. The result `ok` is false for any
// other text.
func plainText(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	s = s[1:]
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			return s[:i], s[i+1:], true
		case c == '\\':
			return unescaped(s, i)
		case c < ' ':
			return "", "", false
		}
	}
	return "", "", false
}

// escapes maps the characters after a backslash to their meaning; 0 means that plainText rejects the
// escape.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// unescaped continues plainText after the quote, for a text whose first escape is at `i`.
func unescaped(s string, i int) (text, rest string, ok bool) {
	out := append(make([]byte, 0, i+32), s[:i]...)
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return string(out), s[i+1:], true
		case c == '\\':
			if i++; i == len(s) || escapes[s[i]] == 0 {
				return "", "", false
			}
			out = append(out, escapes[s[i]])
		case c < ' ':
			return "", "", false
		default:
			out = append(out, c)
		}
	}
	return "", "", false
}
