package corrections

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

type correctedRow struct {
	number int
	id     string                  // id as written; empty if the row has none
	cells  map[string]tabular.Cell // cells by the names of the columns in params
	extra  []tabular.Cell          // cells right of the last heading
	table  bool                    // the file can have extra cells
}

// blank reports whether, in the columns of the task, the row has neither a text nor a cell at fault.
func (r correctedRow) blank() bool {
	for _, c := range r.cells {
		if c.Code != "" || tabular.TrimHeading(c.Text) != "" {
			return false
		}
	}
	return true
}

// correctedRows is a reader of the rows of a corrected file.
type correctedRows interface {
	next() (correctedRow, error)
	// columns returns the columns of the task, and then the columns that the user has added for
	// fields of the kind.
	columns() []tasks.Column
	warnings() []string
	close() error
}

// target is the use of the cells under a heading: as values of a column, as row ids, or none.
type target struct {
	param string
	id    bool
}

// targets holds the columns of a task, among which the method find looks up the headings of a file.
type targets struct {
	*results.Layout
	kind  jobs.Kind
	all   []tasks.Column
	taken map[string]bool // params that a heading matches
	alien []string        // headings that the task does not have
	warn  []string
}

func (c *corrector) newTargets() *targets {
	return &targets{Layout: c.Layout, kind: c.Kind, all: slices.Clone(c.Layout.Columns), taken: map[string]bool{}}
}

// find returns the target of the cells under a heading. It first compares the heading with Rollcall's own
// headings, then with the headings of the upload, then with the fields of the kind. If the heading is
// unknown, or an earlier heading means the same column, find adds a warning and returns the zero target.
func (a *targets) find(heading string) target {
	key := resultfile.HeadingKey(table.Unguard(heading))
	for i, name := range a.Own {
		if resultfile.HeadingKey(name) == key {
			return target{id: i == resultfile.ID}
		}
	}
	for i, c := range a.Layout.Columns {
		if tabular.HeadKey(c.Header) == tabular.HeadKey(heading) || tabular.HeadKey(c.Header) == tabular.HeadKey(table.Unguard(heading)) {
			return a.take(heading, a.Params[i])
		}
	}
	f := a.kind.Schema.Match([]string{table.Unguard(heading)}, nil).Fields[0]
	if f == nil {
		a.alien = append(a.alien, heading)
		a.warnf("The task has no column %q: it is ignored.", heading)
		return target{}
	}
	fed := func(c tasks.Column) bool { return c.Field == f.Name }
	if !slices.ContainsFunc(a.all, fed) {
		a.all = append(a.all, tasks.Column{Header: f.Name, Field: f.Name})
	}
	return a.take(heading, f.Name)
}

func (a *targets) take(heading, param string) target {
	if a.taken[param] {
		a.warnf("Two headings mean the same column. The heading %q is ignored.", heading)
		return target{}
	}
	a.taken[param] = true
	return target{param: param}
}

func (a *targets) warnf(format, heading string) {
	if len(a.warn) < maxFindings {
		a.warn = append(a.warn, fmt.Sprintf(format, textutil.Truncate(heading, tabular.MaxQuoted)))
	}
}

// open opens the corrected file and matches its columns.
func (c *corrector) open() (correctedRows, error) {
	if file := c.file.Rows(); file != nil {
		return &correctedLines{file: file, targets: c.newTargets(), known: map[string]target{}}, nil
	}
	src, err := c.file.Table(c.Options)
	if err != nil {
		return nil, err
	}
	t := &correctedTable{src: src, targets: c.newTargets()}
	any := func(source.DuplicateHeading) bool { return true }
	if err := tabular.FirstErr(src.HeadingTwice(any), t.header()); err != nil {
		return nil, tabular.FirstErr(err, src.Close())
	}
	return t, nil
}

// correctedTable is a reader of a workbook or a text with headings.
type correctedTable struct {
	*targets
	src   *source.Table
	heads []target
}

func (t *correctedTable) header() error {
	found := false
	for _, h := range t.src.Header {
		at := t.find(h)
		t.heads, found = append(t.heads, at), found || at.id
	}
	if found {
		return t.renamed()
	}
	return &tabular.Problem{
		Code: CodeRowIDMissing, Sheet: t.src.Sheet, Row: t.src.HeaderRow, Detail: fmt.Sprintf(
			"The file has no column %q, by which its rows are found. Download the result of this task, "+
				"correct the rows there and upload that file.", t.Own[resultfile.ID]),
	}
}

// renamed returns a problem if the file lacks a column of the task and has an unknown column instead. The
// user has probably renamed the column, and the changes in the column would be lost.
func (t *correctedTable) renamed() error {
	var lost []string
	for i, c := range t.Layout.Columns {
		if !t.taken[t.Params[i]] && c.Header != "" {
			lost = append(lost, c.Header)
		}
	}
	if len(lost) == 0 || len(t.alien) == 0 {
		return nil
	}
	return &tabular.Problem{
		Code: tabular.CodeMissingColumn, Sheet: t.src.Sheet, Row: t.src.HeaderRow, Names: lost, Detail: fmt.Sprintf(
			"The file lacks the column %q of the task, and has the column %q, which the task lacks. "+
				"If the column was renamed, restore its heading. Otherwise, delete the other column.",
			textutil.Truncate(lost[0], tabular.MaxQuoted), textutil.Truncate(t.alien[0], tabular.MaxQuoted)),
	}
}

func (t *correctedTable) next() (correctedRow, error) {
	row, err := t.src.Next()
	if err != nil {
		return correctedRow{}, err
	}
	if row.Beyond > 0 {
		return correctedRow{}, t.src.TooWide(row)
	}
	out := correctedRow{number: row.Number, cells: map[string]tabular.Cell{}, table: true}
	for i, at := range t.heads {
		var cell tabular.Cell // the empty cell of a shorter row
		if i < len(row.Cells) {
			cell = row.Cells[i]
		}
		switch {
		case at.id:
			out.id = tabular.TrimHeading(cell.Text)
		case at.param != "":
			out.cells[at.param] = cell
		}
	}
	out.extra = slices.Clone(row.Cells[min(len(t.heads), len(row.Cells)):])
	return out, nil
}

func (t *correctedTable) columns() []tasks.Column { return t.all }

func (t *correctedTable) warnings() []string { return append(slices.Clone(t.src.Warnings), t.warn...) }

func (t *correctedTable) close() error { return t.src.Close() }

// correctedLines is a reader of a file of JSON objects. A value that the object lacks stays
// unchanged; null clears the value.
type correctedLines struct {
	*targets
	file  *source.JSON
	known map[string]target // targets by name
	count int
}

func (l *correctedLines) next() (correctedRow, error) {
	text, err := l.file.Next()
	switch {
	case err == io.EOF && l.count == 0:
		return correctedRow{}, tabular.Problemf(tabular.CodeNoDataRows, "The file has no rows.")
	case err == io.EOF:
		return correctedRow{}, err
	case errors.Is(err, jsonrows.ErrTooLong):
		return correctedRow{}, &tabular.Problem{
			Code: rowschema.CodeRowTooLarge, Row: l.file.At(), Detail: "The row is too large.",
		}
	case err != nil:
		return correctedRow{}, err
	}
	l.count++
	list, err := jsonrows.Parse(text)
	var bad *jsonrows.Malformed
	if errors.As(err, &bad) {
		return correctedRow{}, &tabular.Problem{
			Code: bad.Code, Row: l.file.At(),
			Detail: fmt.Sprintf("Row %d cannot be read. %s Nothing was changed.", l.file.At(), bad.Detail),
		}
	}
	if err != nil {
		return correctedRow{}, err
	}
	return l.row(list), nil
}

func (l *correctedLines) row(list []jsonrows.Member) correctedRow {
	out := correctedRow{number: l.file.At(), cells: map[string]tabular.Cell{}}
	for _, m := range list {
		at, ok := l.known[m.Name]
		if !ok {
			if at = l.find(m.Name); len(l.known) < jsonrows.MaxValues {
				l.known[m.Name] = at
			}
		}
		switch {
		case at.id:
			out.id = tabular.TrimHeading(m.Text)
		case at.param != "":
			out.cells[at.param] = tabular.Cell{Text: m.Text, Plain: m.Plain}
		}
	}
	return out
}

func (l *correctedLines) columns() []tasks.Column { return l.all }

func (l *correctedLines) warnings() []string { return l.warn }

func (l *correctedLines) close() error { return nil }
