package importers

import (
	"io"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// These are the values of Guess.Reason.
const (
	ByName    = "name"    // the heading is the name or an alias of the field, or is mapped to it
	BySimilar = "similar" // the heading is similar to a name of the field, or contains one
	ByContent = "content" // the values fit the field
)

const (
	guessRows   = 100 // rows that are read
	guessValues = 3   // values that are shown
)

// Guess is a heading and the field that it may mean. An import uses the field if the reason is ByName. For
// any other reason, a user must first confirm the field.
type Guess struct {
	Heading string   `json:"heading"`
	Field   string   `json:"field" doc:"The field; empty if none matches."`
	Reason  string   `json:"reason" schema:"enum=|name|similar|content"`
	Values  []string `json:"values" doc:"The first three different values." schema:"maxItems=3"`
}

// Guesses holds the guesses about the columns of a file before its import.
type Guesses struct {
	Inspection
	Sheets  []string // visible sheets of a workbook
	Columns []Guess
	Problem error // the problem of the file that another mapping could fix; nil: none
}

// GuessColumns reads the first rows of a table and guesses the fields of its headings. It compares
// headings with the names and aliases of the fields, and values with the types of the fields. Rows in
// JSON name their fields, so they have no guesses. For an unusable file, GuessColumns returns a
// *tabular.Problem. If another mapping could fix the file, the *tabular.Problem is Guesses.Problem
// instead.
func GuessColumns(r io.ReaderAt, size int64, kind jobs.Kind, opt Options) (g *Guesses, err error) {
	c, err := source.Recognize(r, size, opt.Reading())
	if err != nil {
		return nil, err
	}
	defer func() { err = tabular.FirstErr(err, c.Close()) }()
	if rows := c.Rows(); rows != nil {
		in, err := inspectJSON(rows, kind, opt)
		return &Guesses{Inspection: in}, err
	}
	src, in, m, err := matchTable(c, kind, opt)
	if src == nil {
		return nil, err
	}
	defer src.Close()
	g = &Guesses{Inspection: in, Sheets: src.Sheets, Problem: err}
	columns := firstValues(src)
	for i, heading := range src.Header {
		guess := Guess{Heading: heading, Values: []string{}}
		if f := m.Fields[i]; f != nil {
			guess.Field, guess.Reason = f.Name, ByName
		} else if near := in.Near[heading]; near != "" {
			guess.Field, guess.Reason = near, BySimilar
		}
		for _, v := range columns[i] {
			if len(guess.Values) < guessValues && !slices.Contains(guess.Values, tabular.Shorten(v)) {
				guess.Values = append(guess.Values, tabular.Shorten(v))
			}
		}
		g.Columns = append(g.Columns, guess)
	}
	g.byWord(kind.Schema)
	g.byContent(kind.Schema, columns)
	return g, nil
}

// firstValues returns the values of each column in the first rows, without empty cells.
func firstValues(src *source.Table) [][]string {
	out := make([][]string, len(src.Header))
	for range guessRows {
		row, err := src.Next()
		if err != nil {
			return out // the reader that adds the rows reports the error
		}
		for i, cell := range row.Cells[:min(len(row.Cells), len(out))] {
			if cell.Text != "" {
				out[i] = append(out[i], cell.Text)
			}
		}
	}
	return out
}

// byWord assigns a heading to a field if a word of the heading names the field. It skips headings and
// fields that are already assigned. It also skips a field that several headings name.
func (g *Guesses) byWord(s *rowschema.Schema) {
	for i := range s.Fields {
		f, found := &s.Fields[i], []int{}
		if g.matched(f.Name) {
			continue
		}
		for at, c := range g.Columns {
			if c.Field == "" && slices.ContainsFunc(strings.Fields(c.Heading), func(word string) bool {
				return s.Match([]string{word}, nil).Fields[0] == f
			}) {
				found = append(found, at)
			}
		}
		if len(found) == 1 {
			g.Columns[found[0]].Field, g.Columns[found[0]].Reason = f.Name, BySimilar
		}
	}
}

// byContent assigns the remaining headings to the remaining fields by the values in their columns. It
// begins with required fields, because the file cannot be imported without them. After the optional fields,
// it tries the required fields again: an optional field may have taken one of several headings that fitted.
func (g *Guesses) byContent(s *rowschema.Schema, columns [][]string) {
	for _, required := range []bool{true, false, true} {
		for _, kind := range []string{"list", "date", "boolean", "integer", "number"} {
			g.byType(s, columns, func(f *rowschema.Field) bool { return f.Required == required && contentOf(f) == kind })
		}
	}
}

// byType assigns remaining headings to those remaining fields for which `among` returns true. It assigns
// a heading to a field only if the values fit no other of these fields, and no other remaining heading
// fits the field.
func (g *Guesses) byType(s *rowschema.Schema, columns [][]string, among func(*rowschema.Field) bool) {
	heading := map[string]int{} // field to the index of the heading that fits; -1: several fit
	fields := map[int]int{}     // index of a heading to the number of fields that fit
	for i := range s.Fields {
		f := &s.Fields[i]
		if !among(f) || g.matched(f.Name) {
			continue
		}
		for at := range g.Columns {
			if g.Columns[at].Field != "" || !fits(f, columns[at]) {
				continue
			}
			fields[at]++
			if _, several := heading[f.Name]; several {
				heading[f.Name] = -1
			} else {
				heading[f.Name] = at
			}
		}
	}
	for name, at := range heading {
		if at >= 0 && fields[at] == 1 {
			g.Columns[at].Field, g.Columns[at].Reason = name, ByContent
		}
	}
}

func (g *Guesses) matched(field string) bool {
	return slices.ContainsFunc(g.Columns, func(c Guess) bool { return c.Field == field })
}

// contentOf returns the type of a field's values. For a field with a list of allowed values it returns
// "list".
func contentOf(f *rowschema.Field) string {
	if len(f.Enum) > 0 {
		return "list"
	}
	return f.Type
}

// fits reports whether a column has values, and at least four in five of them are valid for a field.
// In a number, a decimal comma counts as a decimal point.
func fits(f *rowschema.Field, values []string) bool {
	wrong := 0
	for _, text := range values {
		ok := f.Reads(text) || f.Type == "number" && f.Reads(strings.Replace(text, ",", ".", 1))
		if len(f.Enum) > 0 {
			ok = slices.Contains(f.Enum, strings.TrimSpace(text))
		}
		if !ok {
			wrong++
		}
	}
	return len(values) > 0 && 5*wrong <= len(values)
}
