package rowschema

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rollcall-dev/rollcall/events"
)

// Matching holds the fields that belong to the headings of a file.
type Matching struct {
	Fields  []*Field         // one per heading; nil: the cells are kept without a field
	Missing []*Field         // required fields without a heading
	Twice   []DuplicateMatch // fields with two headings
}

// None reports whether no field has a heading.
func (m Matching) None() bool {
	return !slices.ContainsFunc(m.Fields, func(f *Field) bool { return f != nil })
}

// DuplicateMatch is a field with two headings.
type DuplicateMatch struct {
	Field  *Field
	Second int // the later heading; it has no field
}

// Match finds the fields of headings by name or alias. It ignores case, spaces and punctuation. The
// mapping from headings to field names takes precedence; an empty field name leaves the heading
// without a field.
func (s *Schema) Match(headings []string, mapping map[string]string) Matching {
	m := Matching{Fields: make([]*Field, len(headings))}
	taken := map[*Field]bool{}
	feed := func(i int, f *Field) {
		switch {
		case f == nil:
		case taken[f]:
			m.Twice = append(m.Twice, DuplicateMatch{f, i})
		default:
			m.Fields[i], taken[f] = f, true
		}
	}
	for i, h := range headings {
		if name, ok := mapping[h]; ok {
			feed(i, s.find(name))
		}
	}
	for i, h := range headings {
		if _, ok := mapping[h]; !ok {
			feed(i, s.find(h))
		}
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Required && !taken[f] {
			m.Missing = append(m.Missing, f)
		}
	}
	return m
}

func (s *Schema) find(heading string) *Field {
	n := normalize(heading)
	for i := range s.Fields {
		f := &s.Fields[i]
		if n == normalize(f.Name) {
			return f
		}
		for _, a := range f.Aliases {
			if n == normalize(a) {
				return f
			}
		}
	}
	return nil
}

// normalize removes from a heading the differences between spellings: case, spaces, punctuation, and
// Unicode forms of a letter.
func normalize(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(s))
}

// Invalid combines the faults of a row in one failure. It has the code and message of the first
// fault, and the list of all faults. Without faults, Invalid returns nil.
func Invalid(faults []events.Field) *events.Failure {
	if len(faults) == 0 {
		return nil
	}
	first := faults[0]
	return &events.Failure{
		Code: first.Code, Column: first.Column, Value: first.Value,
		Message: first.Message, Hint: first.Hint, Args: first.Args, Fields: faults,
	}
}
