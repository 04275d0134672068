package events

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Args are the names and values that a message was made from, so that it can be
// told in another language: a JSON object of texts, empty if there are none.
// Rollcall's own messages name their sentence under Sentence.
type Args string

// The names that are not placeholders.
const (
	Sentence     = "#"     // the key of the message in package internal/words
	HintSentence = "#hint" // the key of the hint there
)

// maxArg bounds a value, in bytes; all of them have maxText.
const maxArg = 1000

// With adds values by name. One that is there already is replaced.
func (a Args) With(values map[string]string) Args {
	all := a.Map()
	for name, v := range values {
		all[name] = storable(v, maxArg)
	}
	b, err := json.Marshal(all)
	if err != nil || len(b) > maxText { // texts always encode
		return a
	}
	return Args(b)
}

// Map are the values by name: a copy, empty if there are none.
func (a Args) Map() map[string]string {
	out := map[string]string{}
	if a == "" || json.Unmarshal([]byte(a), &out) != nil {
		return map[string]string{}
	}
	return out
}

// MarshalJSON writes the object as it is.
func (a Args) MarshalJSON() ([]byte, error) { return json.Marshal(a.Map()) }

// UnmarshalJSON reads an object of texts.
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

// field is the failure as the only column at fault.
func (f *Failure) field() Field {
	return Field{
		Column: f.Column, Value: f.Value, Code: f.Code, Message: f.Message, Hint: f.Hint, Args: f.Args,
	}
}

// List returns all columns at fault. The first has the code and message of the row.
func (f *Failure) List() []Field {
	if len(f.Fields) > 0 {
		return f.Fields
	}
	return []Field{f.field()}
}

// Faults returns the columns at fault. The first has the code and message of the row. None
// if the row has no failure; one without Args if that is all that was stored.
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

// SetFaults replaces what is told of the failure: the first of faults, of which
// there is at least one, speaks for the row. The ledger is not touched.
func (e *Event) SetFaults(faults []Field) {
	first := faults[0]
	e.Code, e.Col, e.Value = textutil.Optional(first.Code), textutil.Optional(first.Column), textutil.Optional(first.Value)
	e.Message, e.Hint = textutil.Optional(first.Message), textutil.Optional(first.Hint)
	if e.Fields != nil {
		b, err := json.Marshal(faults)
		if err == nil { // texts always encode
			e.Fields = textutil.Optional(string(b))
		}
	}
}
