package view

import (
	"iter"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeTitle returns the title of a code such as BRAND_UNKNOWN. For a code without a stored title, it
// formats the code as a title.
func CodeTitle(code string) string {
	if title, ok := (jobs.Kind{}).CodeTitle(words.Default, code); ok {
		return title
	}
	plain := strings.ToLower(strings.ReplaceAll(code, "_", " "))
	if plain == "" {
		return "Other"
	}
	return strings.ToUpper(plain[:1]) + plain[1:]
}

// TitleOf returns the title of a code of a kind in a language.
func TitleOf(k jobs.Kind, lang, code string) string {
	if title, ok := k.CodeTitle(lang, code); ok {
		return title
	}
	return CodeTitle(code)
}

// Localizer is a renderer of the rows of a task, with the texts of its kind, in the language of the caller.
type Localizer struct {
	Kind     jobs.Kind
	Lang     string
	Operator bool                          // the caller may read texts of system faults
	Runner   func(by *int32) events.Runner // returns the process that ran a row
}

// Headings maps columns of the kind to the headings of a file that are imported as these columns. It leaves
// out headings that equal the name of their column. It returns nil if no heading is left.
func Headings(columns []tasks.Column) (out map[string]string) {
	for _, col := range columns {
		if col.Field == "" || col.Header == "" || col.Header == col.Field {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[col.Field] = col.Header
	}
	return out
}

// Heading returns the heading of a column in the file of a task. If the file lacks the column, Heading
// returns the name of the column.
func Heading(t *tasks.Task, column string) string {
	for _, col := range t.Columns {
		if col.Field == column && col.Header != "" {
			return col.Header
		}
	}
	return column
}

// Event returns a copy of an event with texts in the language of the caller.
func (v Localizer) Event(e *events.Event) *events.Event {
	localized := *e
	v.Kind.LocalizeEvent(v.Lang, &localized)
	return &localized
}

// Each returns the sequence with texts in the language of the caller. It changes the events in place.
func (v Localizer) Each(rows iter.Seq2[*events.Event, error]) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for e, err := range rows {
			if err == nil {
				v.Kind.LocalizeEvent(v.Lang, e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Groups returns the views of the causes of rows with the status failed or error.
func (v Localizer) Groups(list []events.Group) []Group {
	out := []Group{}
	for _, g := range v.faultGroups(list) {
		out = append(out, Group{
			g.Code, TitleOf(v.Kind, v.Lang, g.Code), textutil.Optional(g.Col), g.Status, g.Count, g.FirstRow,
			g.Count - g.Fixed - g.Skipped, g.Fixed, g.Skipped, textutil.Optional(g.Print), textutil.Optional(g.Fault),
		})
	}
	return out
}

// faultGroups returns the error groups that the caller may see. Operators see an error group for each
// system fault. For other callers, faultGroups merges the error groups with the same status, code and
// column.
func (v Localizer) faultGroups(list []events.Group) (out []events.Group) {
	if v.Operator {
		return list
	}
	at := map[[3]string]int{}
	for _, g := range list {
		key := [3]string{string(g.Status), g.Code, g.Col}
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			g.Print, g.Fault = "", ""
			out = append(out, g)
			continue
		}
		same := &out[i]
		same.Count, same.Fixed, same.Skipped = same.Count+g.Count, same.Fixed+g.Fixed, same.Skipped+g.Skipped
		same.FirstRow = min(same.FirstRow, g.FirstRow)
	}
	return out
}

// Fields returns field faults with texts in the language of the caller.
func (v Localizer) Fields(list []events.Field) []events.Field {
	out := make([]events.Field, len(list))
	for i, f := range list {
		out[i] = v.Field(f)
	}
	return out
}

// Field returns a field fault with its text in the language of the caller. It removes the arguments of
// the text.
func (v Localizer) Field(f events.Field) events.Field {
	f = v.Kind.Localize(v.Lang, f)
	f.Args = ""
	return f
}
