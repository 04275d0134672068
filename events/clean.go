package events

import (
	"cmp"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// The most that is kept of a text, in bytes. Code and column are part of a
// key; the others are read by people.
const (
	maxName = 200
	maxText = 4 << 10
)

// codeUnknown is the code of a failure without one: bad rows are found by their code.
const codeUnknown = "UNKNOWN"

// Clean is the failure as it can be stored, whatever a handler has put into
// it: Postgres takes neither NUL nor broken UTF-8.
func (f Failure) Clean() Failure {
	f.Code, f.Column = cmp.Or(storable(f.Code, maxName), codeUnknown), storable(f.Column, maxName)
	f.Value, f.Message = storable(f.Value, maxText), storable(f.Message, maxText)
	f.Hint = storable(f.Hint, maxText)
	return f
}

// StorableText returns the start of a text as the ledger stores it: valid, and at most 4 KiB.
func StorableText(s string) string { return storable(s, maxText) }

// storable is at most so many bytes of a text, as Postgres takes it.
func storable(s string, most int) string { return textutil.Truncate(textutil.Clean(s), most) }
