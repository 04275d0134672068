package importers

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// CodeMissingColumn means the file lacks a column that the kind requires.
const CodeMissingColumn = "MISSING_COLUMN"

// Inspection is what is known of an upload before its rows are read.
type Inspection struct {
	Format    string // xlsx, csv, tsv, jsonl or json, unpacked
	Sheet     string
	Encoding  string // character set of a text; empty for workbooks
	Delimiter string // between the cells of a text; empty for other formats
	HeaderRow int
	Columns   []tasks.Column
	Warnings  []string
}

// Inspect opens an upload and matches its headings with the columns of a kind.
// It reads no further than the first rows. What is wrong with the file is a
// *Problem.
func Inspect(r io.ReaderAt, size int64, kind worker.Kind, opt Options) (in Inspection, err error) {
	c, err := openContent(&upload{r: r, size: size}, opt.Name, opt.Limits.withDefaults())
	if err != nil {
		return Inspection{}, err
	}
	defer func() { err = either(err, c.close()) }()
	rows, err := readJSON(c, opt.open(), "")
	if err != nil {
		return Inspection{}, err
	}
	if rows != nil {
		return rows.inspect(kind, opt)
	}
	return inspectTable(c, kind, opt)
}

func inspectTable(c *content, kind worker.Kind, opt Options) (Inspection, error) {
	src, in, _, err := matchTable(c, kind, opt)
	if src != nil {
		err = either(err, src.Close())
	}
	if err != nil {
		return Inspection{}, err
	}
	return in, nil
}

// matchTable opens a table and matches its headings with the columns of a
// kind. Where no row was named and the first that looks like headings is none
// of this kind, a row below may be. A table that was opened is told beside the
// error, too: a *Problem that another mapping could mend.
func matchTable(
	c *content, kind worker.Kind, opt Options,
) (*Source, Inspection, worker.Matching, error) {
	src, in, m, err := matchAt(c, kind, opt)
	var p *Problem
	if opt.HeaderRow > 0 || err == nil && !m.None() ||
		err != nil && !(errors.As(err, &p) && aboutHeader[p.Code]) {
		return src, in, m, err
	}
	row, lost := headerBelow(c, kind, opt)
	if lost != nil || row == 0 {
		return src, in, m, either(lost, err)
	}
	if src != nil {
		_ = src.Close() // it is opened once more
	}
	opt.HeaderRow = row
	return matchAt(c, kind, opt)
}

func matchAt(
	c *content, kind worker.Kind, opt Options,
) (*Source, Inspection, worker.Matching, error) {
	src, err := readTable(c, opt.open())
	if err != nil {
		return nil, Inspection{}, worker.Matching{}, err
	}
	m := kind.Schema.Match(src.Header, opt.Mapping)
	in := Inspection{
		Format: src.Format, Sheet: src.Sheet, HeaderRow: src.HeaderRow, Warnings: src.Warnings,
		Encoding: src.Encoding, Columns: columnsOf(src.Header, m),
	}
	if src.Delimiter > 0 {
		in.Delimiter = string(src.Delimiter)
	}
	if err = missing(m, src.Header, src.HeaderRow); err == nil {
		err = twice(m, src.Header, src.HeaderRow)
	}
	return src, in, m, err
}

// twice is the problem of a file with two columns for one field.
func twice(m worker.Matching, headings []string, row int) error {
	if len(m.Twice) == 0 {
		return nil
	}
	p := &Problem{Code: CodeDuplicateHeader, Row: row}
	for _, d := range m.Twice {
		first := slices.Index(m.Fields, d.Field)
		detail := fmt.Sprintf("The columns %q and %q both mean %s.",
			headings[first], headings[d.Second], d.Field.Name)
		p.Errors = append(p.Errors, Fault{Row: row, Code: CodeDuplicateHeader, Detail: detail})
	}
	p.Detail = p.Errors[0].Detail + " Remove or rename one of them."
	return p
}

// missing is the problem of a file without a required column. It names the
// headings that look most like it.
func missing(m worker.Matching, headings []string, row int) error {
	if len(m.Missing) == 0 {
		return nil
	}
	p := &Problem{Code: CodeMissingColumn, Row: row}
	var names []string
	for _, f := range m.Missing {
		names = append(names, f.Name)
		detail := fmt.Sprintf("Column %q is missing.", f.Name)
		if near := nearest(f.Name, headings); near != "" {
			detail += fmt.Sprintf(" Did you mean %q?", near)
		}
		p.Errors = append(p.Errors, Fault{Row: row, Code: CodeMissingColumn, Detail: detail})
	}
	what := "a required column"
	if len(names) > 1 {
		what = "required columns"
	}
	p.Detail = fmt.Sprintf("The file lacks %s: %s. It has: %s. "+
		"Add it, or rename the column that means it.",
		what, strings.Join(names, ", "), strings.Join(headings, ", "))
	return p
}

// nearest is the heading that differs least from name, if it is near at all.
func nearest(name string, headings []string) string {
	best, most := "", max(2, len(name)/3)+1
	for _, h := range headings {
		if d := distance(strings.ToLower(name), strings.ToLower(h)); d < most {
			best, most = h, d
		}
	}
	return best
}

// distance is how many letters have to be changed, added or left out to make
// b of a.
func distance(a, b string) int {
	as, bs := []rune(a), []rune(b)
	row := make([]int, len(bs)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range as {
		last := slices.Clone(row)
		row[0] = i + 1
		for j, rb := range bs {
			change := last[j]
			if ra != rb {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
		}
	}
	return row[len(bs)]
}
