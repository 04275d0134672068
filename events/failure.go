package events

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// SetFailure replaces the failure of a row in `e`, not in the ledger. If `f` is nil, SetFailure changes
// only e.Fields, so that Faultless returns true.
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

// Faultless reports whether a user has edited a bad row so that it has no known fault any more.
func (e *Event) Faultless() bool { return e.Fields != nil && *e.Fields == "[]" }

// CodeDuplicateKey is the code of a row with the same key as another row of its task.
const CodeDuplicateKey = "DUPLICATE_KEY"

// Duplicate reports whether a row is bad because another row of its task has the same key.
func (e *Event) Duplicate() bool {
	return e.Status.Bad() && !e.Faultless() &&
		slices.ContainsFunc(e.Faults(), func(f Field) bool { return f.Code == CodeDuplicateKey })
}

// CodeErased is the code of a row whose contents were deleted: see Store.EraseRow of
// package decisions. Users cannot repair, skip or resubmit such a row.
const CodeErased = "ERASED"

// Erased reports whether the contents of the row were deleted.
func (e *Event) Erased() bool { return e.Code != nil && *e.Code == CodeErased }

// ErrClosed means that users cannot decide about the rows of a task: it is canceling, canceled, rejected
// as a whole, purged or unknown. On a deletion of contents, ErrClosed means that the task is not done,
// was purged, or is unknown.
var ErrClosed = errors.New("the rows of the task can no longer be changed")

// maxName and maxText are the limits in bytes to which texts are truncated. maxName is for code and
// column, which identify an error group; maxText is for the other texts.
const (
	maxName = 200
	maxText = 4 << 10
)

// codeUnknown is stored for a failure without a code. Every bad row needs a code, since a partial
// index finds bad rows by it.
const codeUnknown = "UNKNOWN"

// Clean returns the failure in a form that can be stored: with a code, and with shortened texts.
// Postgres accepts neither NUL nor invalid UTF-8, so Clean replaces both with U+FFFD. It does not
// change Args and Fields.
func (f Failure) Clean() Failure {
	f.Code, f.Column = cmp.Or(storable(f.Code, maxName), codeUnknown), storable(f.Column, maxName)
	f.Value, f.Message = storable(f.Value, maxText), storable(f.Message, maxText)
	f.Hint = storable(f.Hint, maxText)
	return f
}

// StorableText returns a text in a form that the ledger can store, truncated to 4 KiB.
func StorableText(s string) string { return storable(s, maxText) }

// storable replaces characters that Postgres rejects, and truncates the text to `most` bytes.
func storable(s string, most int) string { return textutil.Truncate(textutil.Clean(s), most) }

// Args holds the values in a message by name, so that the message can be rendered in another language. It
// is a JSON object of texts, or empty. For a message of Rollcall, the value under Sentence is the text
// key of the message.
type Args string

// These are the reserved names in Args. All other names are placeholders in the message or the hint.
const (
	Sentence     = "#"     // the key of the message in package internal/words
	HintSentence = "#hint" // the key of the hint there
)

// maxArg is the limit in bytes to which one value is truncated. The JSON of all values has at most
// maxText bytes.
const maxArg = 1000

// With returns the args with the given values added, each truncated to 1,000 bytes. It replaces values
// of the same name. If the result would have more than 4 KiB, it returns the args unchanged.
func (a Args) With(values map[string]string) Args {
	all := a.Map()
	for name, v := range values {
		all[name] = storable(v, maxArg)
	}
	b, err := json.Marshal(all)
	if err != nil || len(b) > maxText { // an error is impossible: strings can always be encoded
		return a
	}
	return Args(b)
}

// Map returns a new map of the values by name. It is never nil.
func (a Args) Map() map[string]string {
	out := map[string]string{}
	if a == "" || json.Unmarshal([]byte(a), &out) != nil {
		return map[string]string{}
	}
	return out
}

// MarshalJSON returns the args as a JSON object.
func (a Args) MarshalJSON() ([]byte, error) { return json.Marshal(a.Map()) }

// UnmarshalJSON parses a JSON object of texts. If they have more than 4 KiB as JSON, the args become
// empty.
func (a *Args) UnmarshalJSON(b []byte) error {
	values := map[string]string{}
	if err := json.Unmarshal(b, &values); err != nil {
		return err
	}
	*a = ""
	if len(values) > 0 {
		*a = (*a).With(values)
	}
	return nil
}

func (f *Failure) field() Field {
	return Field{
		Column: f.Column, Value: f.Value, Code: f.Code, Message: f.Message, Hint: f.Hint, Args: f.Args,
	}
}

// List returns the columns at fault, at least one. The first has the code and message of the row.
func (f *Failure) List() []Field {
	if len(f.Fields) > 0 {
		return f.Fields
	}
	return []Field{f.field()}
}

// Faults returns the columns at fault, or none if the row has no failure. The first has the code
// and message of the row. If the row has a code but no stored fields, Faults returns one fault,
// without Args.
func (e *Event) Faults() []Field {
	var out []Field
	if e.Fields != nil && json.Unmarshal([]byte(*e.Fields), &out) == nil && len(out) > 0 {
		return out
	}
	if e.Code == nil {
		return nil
	}
	return []Field{{
		Column: textutil.Deref(e.Col), Value: textutil.Deref(e.Value), Code: textutil.Deref(e.Code),
		Message: textutil.Deref(e.Message), Hint: textutil.Deref(e.Hint),
	}}
}

// SetFaults replaces the faults of a row in `e`, not in the ledger. The list must not be empty; the first
// fault becomes the failure of the row. If e.Fields is nil, the event keeps only the first fault, without
// its Args.
func (e *Event) SetFaults(faults []Field) {
	first := faults[0]
	e.Code, e.Col, e.Value = textutil.Optional(first.Code), textutil.Optional(first.Column), textutil.Optional(first.Value)
	e.Message, e.Hint = textutil.Optional(first.Message), textutil.Optional(first.Hint)
	if e.Fields != nil {
		b, err := json.Marshal(faults)
		if err == nil { // always true: strings can always be encoded
			e.Fields = textutil.Optional(string(b))
		}
	}
}
