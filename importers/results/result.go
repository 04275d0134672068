package results

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Result is a result file: the rows of a task with the columns of the upload, and then the outcome of
// each row. The last column contains the row id, by which package corrections finds the row again. A
// cell contains the exact text of the upload, with three exceptions. In a CSV or TSV file, a text that a
// spreadsheet would evaluate as a formula gets an apostrophe, unless the field Raw is true. A letter
// that the character set lacks is written as in HTML (&#128512;). In a workbook, a text is cut to the
// length that Excel allows. Package corrections does not count these three differences as changes.
type Result struct {
	Task *tasks.Task
	// Kind is the kind of the task. For an unregistered kind, the caller passes the zero Kind, and all
	// cells are texts.
	Kind jobs.Kind
	// Rows are the events to write, in file order.
	Rows iter.Seq2[*events.Event, error]
	// Raw leaves out the apostrophe before formulas in csv and tsv, for readers that do not
	// evaluate formulas.
	Raw bool
	// Masked hides the values of sensitive columns, as pages do. All values of a private kind are hidden
	// even if Masked is false.
	Masked bool
}

// Format returns the default format of the result. An upload in csv, tsv or jsonl keeps its format. A
// JSON list becomes jsonl, and any other upload xlsx.
func (r Result) Format() string {
	switch r.Task.FileFormat {
	case tabular.FormatCSV, tabular.FormatTSV, jsonrows.FormatLines:
		return r.Task.FileFormat
	case "json":
		return jsonrows.FormatLines
	}
	return tabular.FormatXLSX
}

// Charset returns the WHATWG name of the character set that Write uses for a format. It is "" for
// workbooks.
func (r Result) Charset(format string) string {
	switch {
	case format == tabular.FormatXLSX:
		return ""
	case format == jsonrows.FormatLines || r.ownTask(format) == nil || r.Task.FileEncoding == "":
		return "utf-8"
	}
	return r.Task.FileEncoding
}

// ownTask returns the task if its upload is a CSV or TSV file of the given format, otherwise nil. The
// result of such a task has the delimiter and character set of the upload.
func (r Result) ownTask(format string) *tasks.Task {
	text := []string{tabular.FormatCSV, tabular.FormatTSV}
	if slices.Contains(text, format) && r.Format() == format {
		return r.Task
	}
	return nil
}

// masked returns the rows with masked values of sensitive columns.
func (r Result) masked(rows iter.Seq2[*events.Event, error]) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for e, err := range rows {
			if err == nil {
				shown := *e
				shown.Params, e = string(r.Kind.Show([]byte(e.Params))), &shown
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Write writes the result in one of the formats xlsx, csv, tsv and jsonl. Memory does not grow with
// the number of rows, and no temporary file is used. After an error, the written file is
// incomplete.
func (r Result) Write(w io.Writer, format string) error {
	r.Rows = prefetch(r.Rows)
	if r.Masked || r.Kind.Private {
		r.Rows = r.masked(r.Rows)
	}
	switch format {
	case tabular.FormatXLSX:
		return r.writeXLSX(w)
	case tabular.FormatCSV, tabular.FormatTSV:
		return r.writeText(w, format)
	case jsonrows.FormatLines:
		return r.writeLines(w)
	}
	return fmt.Errorf("results: a result cannot have the format %q", format)
}
