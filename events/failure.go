package events

import (
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// SetFailure replaces the failure of a row. With nil, the row keeps its cause without fields: it is
// Faultless then.
func (e *Event) SetFailure(f *Failure) {
	if f == nil {
		e.Fields = textutil.Optional("[]")
		return
	}
	c := f.Clean()
	e.Code, e.Col, e.Value = textutil.Optional(c.Code), textutil.Optional(c.Column), textutil.Optional(c.Value)
	e.Message, e.Hint, e.Fields = textutil.Optional(c.Message), textutil.Optional(c.Hint), textutil.Optional(c.FieldsJSON())
	e.Print = nil
}

// Faultless reports whether an edit of a bad row has left no known fault.
func (e *Event) Faultless() bool { return e.Fields != nil && *e.Fields == "[]" }

// CodeDuplicateKey is the code of a row whose key another row of its task holds.
const CodeDuplicateKey = "DUPLICATE_KEY"

// Duplicate reports whether a bad row is invalid because another row holds its key.
func (e *Event) Duplicate() bool {
	return e.Status.Bad() && !e.Faultless() &&
		slices.ContainsFunc(e.Faults(), func(f Field) bool { return f.Code == CodeDuplicateKey })
}

// CodeErased is the code of a row whose contents were deleted: see EraseRow. Users cannot
// repair, skip or resubmit such a row.
const CodeErased = "ERASED"

// Erased reports whether the contents of the row were deleted.
func (e *Event) Erased() bool { return e.Code != nil && *e.Code == CodeErased }

// ErrClosed means that nothing can be decided about the rows of a task: it is
// canceled or being so, refused as a whole, purged, or not there.
var ErrClosed = errors.New("the rows of the task are closed")
