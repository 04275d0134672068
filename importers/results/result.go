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

// Result is the rows of a task as a file for a person: the columns of the upload, in its order, and
// after them the outcome of each row. The last column is the row id, by which package corrections
// finds the row again. A cell holds the exact text of the upload, with two exceptions. In a text file,
// a text that a spreadsheet would run as a formula gets an apostrophe, unless Raw is set. A letter
// that the character set lacks is written as in HTML (&#128512;). Package corrections undoes both.
type Result struct {
	Task *tasks.Task
	// Kind is the kind of the task. For an unregistered kind it is the zero value, and all cells are
	// texts.
	Kind jobs.Kind
	// Rows are the events to write, in file order.
	Rows iter.Seq2[*events.Event, error]
	// Raw writes the texts of csv and tsv without the apostrophe before formulas, for programs.
	Raw bool
}

// Format returns the default format of the result: the format of the task's upload, or a workbook for
// rows without a file.
func (r Result) Format() string {
	switch r.Task.FileFormat {
	case tabular.FormatCSV, tabular.FormatTSV, jsonrows.FormatLines:
		return r.Task.FileFormat
	case "json":
		return jsonrows.FormatLines
	}
	return tabular.FormatXLSX
}

// Charset returns the WHATWG name of the character set that Write uses for a format; empty for
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

// ownTask returns the task if its upload has the format, so that the result is written like the
// upload. Otherwise it returns nil.
func (r Result) ownTask(format string) *tasks.Task {
	text := []string{tabular.FormatCSV, tabular.FormatTSV}
	if slices.Contains(text, format) && r.Format() == format {
		return r.Task
	}
	return nil
}

// Write writes the result in one of the formats xlsx, csv, tsv and jsonl. It streams: memory does not
// grow with the rows, and no temporary file is used. After an error, the written file is incomplete.
func (r Result) Write(w io.Writer, format string) error {
	r.Rows = prefetch(r.Rows)
	switch format {
	case tabular.FormatXLSX:
		return r.writeXLSX(w)
	case tabular.FormatCSV, tabular.FormatTSV:
		return r.writeText(w, format)
	case jsonrows.FormatLines:
		return r.writeLines(w)
	}
	return fmt.Errorf("results: there is no result as %q", format)
}
