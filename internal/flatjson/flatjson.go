// Package flatjson reads JSON objects of texts, such as the params of a row.
package flatjson

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Members hands out the members of a JSON object of texts, in the order of encoding/json's input
// if the object has no escapes, else in any. An object without escapes is read several times as
// fast as by encoding/json, which reads the rest. After an error, some members may have been
// handed out. A name that stands twice may be handed out twice: the last one counts.
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

// plainMembers is Members for an object without escapes and blanks. On false, it
// has handed out the members before what it cannot read.
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

// plainText cuts a JSON string without escapes.
func plainText(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	text, rest, ok = strings.Cut(s[1:], `"`)
	for i := range len(text) {
		if text[i] < ' ' || text[i] == '\\' {
			return "", "", false
		}
	}
	return text, rest, ok
}
