package events

import "strings"

// The most that is kept of a text, in bytes. Code and column are part of a
// key; the others are read by people.
const (
	maxName = 200
	maxText = 4 << 10
)

// clean is the failure as it can be stored, whatever a handler has put into
// it: Postgres takes neither NUL nor broken UTF-8.
func (f Failure) clean() Failure {
	f.Code, f.Column = storable(f.Code, maxName), storable(f.Column, maxName)
	f.Value, f.Message = storable(f.Value, maxText), storable(f.Message, maxText)
	f.Hint = storable(f.Hint, maxText)
	return f
}

func storable(s string, most int) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
