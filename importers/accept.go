package importers

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Inspection holds what the headings and first rows of an upload show: its format, its columns and
// warnings.
type Inspection struct {
	Format    string // xlsx, csv, tsv, jsonl or json; of the unpacked file
	Sheet     string
	Encoding  string // character set of a text; empty for workbooks
	Delimiter string // separates the cells of a text; empty for other formats
	HeaderRow int
	Decimal   string // decimal sign of numbers in texts; empty: a point
	Columns   []tasks.Column
	Warnings  []string

	// Near maps each heading without a field to the field that it may mean. An import uses such a
	// field only if a user confirms it in Options.Mapping.
	Near map[string]string
}

// Inspect opens an upload and matches its headings with the columns of a kind. If the rows are JSON,
// it validates only the first row. For an unusable file it returns a *tabular.Problem.
func Inspect(r io.ReaderAt, size int64, kind jobs.Kind, opt Options) (in Inspection, err error) {
	c, err := source.Recognize(r, size, opt.Reading())
	if err != nil {
		return Inspection{}, err
	}
	defer func() { err = tabular.FirstErr(err, c.Close()) }()
	if rows := c.Rows(); rows != nil {
		return inspectJSON(rows, kind, opt)
	}
	src, in, _, err := matchTable(c, kind, opt)
	if src != nil {
		err = tabular.FirstErr(err, src.Close())
	}
	if err != nil {
		return Inspection{}, err
	}
	return in, nil
}

// matchTable opens a table and matches its headings with the columns of a kind. If no heading matches,
// or a problem may come from a title above the headings, it searches the first rows for the headings. It
// does not search if Options.HeaderRow is set. With a *tabular.Problem that another mapping could fix,
// matchTable also returns the open table.
func matchTable(
	c *source.File, kind jobs.Kind, opt Options,
) (*source.Table, Inspection, rowschema.Matching, error) {
	src, in, m, err := matchAt(c, kind, opt)
	var p *tabular.Problem
	if opt.HeaderRow > 0 || err == nil && !m.None() ||
		err != nil && !(errors.As(err, &p) && aboutHeader[p.Code]) {
		return src, in, m, err
	}
	row, lost := searchHeader(c, kind, opt)
	if lost != nil || row == 0 {
		return src, in, m, tabular.FirstErr(lost, err)
	}
	if src != nil {
		_ = src.Close() // the table is opened again
	}
	opt.HeaderRow = row
	return matchAt(c, kind, opt)
}

func matchAt(
	c *source.File, kind jobs.Kind, opt Options,
) (*source.Table, Inspection, rowschema.Matching, error) {
	src, err := c.Table(opt.Reading())
	if err != nil {
		return nil, Inspection{}, rowschema.Matching{}, err
	}
	m := kind.Schema.Match(src.Header, opt.Mapping)
	in := Inspection{
		Format: src.Format, Sheet: src.Sheet, HeaderRow: src.HeaderRow,
		Encoding: src.Encoding, Columns: columnsOf(src.Header, m),
	}
	in.Near = kind.Schema.Near(src.Header, m)
	in.Warnings = joined(src.Warnings, in.unmatched(kind, opt.Mapping))
	if src.Delimiter > 0 {
		in.Delimiter = string(src.Delimiter)
	}
	isMapped := func(d source.DuplicateHeading) bool {
		return m.Fields[d.First] != nil ||
			!kind.Schema.Match([]string{d.Heading}, opt.Mapping).None()
	}
	err = tabular.FirstErr(missing(m, in, src.Header), matchedTwice(m, src.Header, src.HeaderRow))
	if twice := src.HeadingTwice(isMapped); err == nil && twice != nil {
		return nil, in, m, tabular.FirstErr(twice, src.Close()) // no mapping fixes it
	}
	err = tabular.FirstErr(err, noMatch(m, in, src.Header, kind))
	if err == nil {
		if err := in.guessDecimal(c, kind, opt); err != nil {
			return nil, in, m, tabular.FirstErr(err, src.Close())
		}
	}
	return src, in, m, err
}

// matchedTwice returns a problem if two columns of the file match the same field.
func matchedTwice(m rowschema.Matching, headings []string, row int) error {
	if len(m.Twice) == 0 {
		return nil
	}
	p := &tabular.Problem{Code: tabular.CodeDuplicateHeader, Row: row}
	for _, d := range m.Twice {
		first := slices.Index(m.Fields, d.Field)
		detail := fmt.Sprintf("The columns %q and %q both mean %s.",
			headings[first], headings[d.Second], d.Field.Name)
		p.Errors = append(p.Errors, tabular.Fault{Row: row, Code: tabular.CodeDuplicateHeader, Detail: detail})
	}
	p.Detail = p.Errors[0].Detail + " Remove or rename one of them."
	return p
}

// nearHeading returns a heading that may mean the field, or "" if there is none.
func (in Inspection) nearHeading(field string) string {
	for heading, name := range in.Near {
		if name == field {
			return heading
		}
	}
	return ""
}

// missing returns a problem if the file lacks a required column. The problem names each missing column,
// and its most similar heading, if any.
func missing(m rowschema.Matching, in Inspection, headings []string) error {
	if len(m.Missing) == 0 {
		return nil
	}
	p := &tabular.Problem{Code: tabular.CodeMissingColumn, Row: in.HeaderRow, Mapping: in.Near}
	var names []string
	for _, f := range m.Missing {
		names = append(names, f.Name)
		detail := fmt.Sprintf("Column %q is missing.", f.Name)
		near := in.nearHeading(f.Name)
		if near != "" {
			detail += fmt.Sprintf(" Did you mean %q?", near)
		}
		p.Errors = append(p.Errors, tabular.Fault{
			Row: in.HeaderRow, Code: tabular.CodeMissingColumn, Detail: detail, Name: f.Name, Near: near,
		})
	}
	p.Names = names
	what := "a required column"
	if len(names) > 1 {
		what = "required columns"
	}
	p.Detail = fmt.Sprintf("The file lacks %s: %s. It has: %s. "+
		"Add it, or rename the column that has its values.",
		what, strings.Join(names, ", "), strings.Join(headings, ", "))
	return p
}
