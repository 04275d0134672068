package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Reason is the reason for a suggestion.
type Reason string

// These are all reasons of suggestions. Each has a text in the catalogue of package words.
const (
	Before  Reason = "before"   // users replaced the same text with this one before
	Case    Reason = "case"     // a known value differs only in case or in spaces around it
	OneOff  Reason = "one"      // a known value differs by one letter
	Near    Reason = "near"     // a known value differs by a few letters, or has fewer or more words
	Unit    Reason = "unit"     // a number without its currency or unit
	Comma   Reason = "comma"    // a number with a point before the decimals
	Layout  Reason = "layout"   // a date in the layout of the column
	LastDay Reason = "last_day" // the last day of the month, instead of a day that the month does not have
)

// Suggestion is a text that would make a cell valid.
type Suggestion struct {
	With string
	Why  Reason
	At   int64 // for the reason Before: the time of the earlier replacement, in unix ms
}

// Suggest returns the most likely correction of an invalid text in a column; nil if it finds none. The
// argument `made` holds earlier fixes in the lane of the task, the newest first. A suggestion is valid
// by the rules of the column, as if a user had typed it for the task `t`. Suggest returns nil for a
// sensitive column.
func Suggest(kind jobs.Kind, t *tasks.Task, column, text string, made []decisions.MadeFix) *Suggestion {
	f := fieldOf(kind, column)
	if f == nil || f.Sensitive {
		return nil
	}
	for _, try := range []func(*rowschema.Field, string) *Suggestion{
		func(f *rowschema.Field, text string) *Suggestion { return madeBefore(f, text, made) }, offered, plainNumber, plainDate,
	} {
		s := try(f, text)
		if s == nil || s.With == text {
			continue
		}
		if _, fault := TypedFix(kind, t, column, s.With); fault == nil {
			return s
		}
	}
	return nil
}

// Typed converts a text that a user has typed for a column to the notation of the task's cells. In a task
// whose file has a decimal comma, a number gets a decimal point, like the numbers of the file.
func Typed(kind jobs.Kind, t *tasks.Task, column, text string) string {
	f := fieldOf(kind, column)
	if t.Options["decimal"] == "," && f != nil && f.TakesDecimal() && rowschema.WithComma(text) {
		return rowschema.Pointed(text)
	}
	return text
}

// TypedFix converts the new text of a decisions.Fix, which a user has typed, as Typed does. A number that
// would then be unclear stays as typed. TypedFix also returns the fault of the text by the rules of the
// column and the notation of the task; nil if there is none.
func TypedFix(kind jobs.Kind, t *tasks.Task, column, text string) (string, *events.Field) {
	if fault := unclear(kind, t, column, text); fault != nil {
		return text, fault
	}
	with := Typed(kind, t, column, text)
	fault := FaultOf(kind, column, with)
	if unclear(kind, t, column, with) != nil {
		with = text
	}
	return with, fault
}

// unclear returns the fault of a number that is unclear in a task whose file has a decimal comma.
func unclear(kind jobs.Kind, t *tasks.Task, column, text string) *events.Field {
	if f := fieldOf(kind, column); f != nil && t.Options["decimal"] == "," {
		return f.Unclear(text)
	}
	return nil
}

// fieldOf returns the field of a column; nil if the kind has none.
func fieldOf(kind jobs.Kind, column string) *rowschema.Field {
	if kind.Schema == nil {
		return nil
	}
	for i := range kind.Schema.Fields {
		if f := &kind.Schema.Fields[i]; f.Name == column {
			return f
		}
	}
	return nil
}

// FaultOf returns the fault of a text by the rules of a column; nil if the text passes them. It returns
// nil, too, if the kind has no such column.
func FaultOf(kind jobs.Kind, column, text string) *events.Field {
	if fieldOf(kind, column) == nil {
		return nil
	}
	_, faults := kind.Check(func(f *rowschema.Field) string {
		if f.Name == column {
			return text
		}
		return ""
	})
	if i := slices.IndexFunc(faults, func(fault events.Field) bool { return fault.Column == column }); i >= 0 {
		return &faults[i]
	}
	return nil
}

func madeBefore(f *rowschema.Field, text string, made []decisions.MadeFix) *Suggestion {
	for _, m := range made {
		if with, ok := m.With[text]; ok && m.Column == f.Name && with != "" {
			return &Suggestion{With: with, Why: Before, At: m.At}
		}
	}
	return nil
}

// offered suggests one of the values that the column offers. It prefers a value that differs only in
// case and in spaces around the text. Otherwise it suggests the nearest value or, if no value is near,
// the value that sameStart returns. It returns nil if there is none.
func offered(f *rowschema.Field, text string) *Suggestion {
	for _, v := range f.Offered() {
		if strings.EqualFold(strings.TrimSpace(text), v) {
			return &Suggestion{With: v, Why: Case}
		}
	}
	near := cmp.Or(rowschema.Nearest(text, f.Offered()), sameStart(text, f.Offered()))
	switch {
	case near == "":
		return nil
	case rowschema.Distance(text, near) == 1:
		return &Suggestion{With: near, Why: OneOff}
	}
	return &Suggestion{With: near, Why: Near}
}

// sameStart returns the only value that shares its first words with a text, such as "Acme" for
// "Acme Ltd". All words of the shorter of the two must match. It returns "" for none or several.
func sameStart(text string, values []string) (found string) {
	words := strings.Fields(strings.ToLower(text))
	for _, v := range values {
		other := strings.Fields(strings.ToLower(v))
		n := min(len(words), len(other))
		switch {
		case n == 0 || !slices.Equal(words[:n], other[:n]):
		case found != "":
			return ""
		default:
			found = v
		}
	}
	return found
}
