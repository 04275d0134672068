package importers

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// FormatXLSX, FormatCSV and FormatTSV are formats of tables, as Source.Format
// tells them.
const (
	FormatXLSX = "xlsx"
	FormatCSV  = "csv"
	FormatTSV  = "tsv"
)

// Result is a task's rows on their way back to the person: the columns of the
// upload, in its order, and behind them what became of each row. Its last
// heading is that of the row id, by which Corrections finds the row again.
//
// A cell holds the text of the upload to the letter, with two exceptions: in a
// text file, what a spreadsheet would run as a formula gets an apostrophe; in
// a character set that lacks a letter, it stands as in HTML (&#128512;).
// Corrections undoes both.
type Result struct {
	Task *tasks.Task
	// Kind is the kind of the task; the zero value if it is gone, and all
	// cells are texts then.
	Kind worker.Kind
	// Rows are the events to write, in file order.
	Rows iter.Seq2[*events.Event, error]
}

// Format is the format of the task's upload, and how its result is written
// unless another is asked for. What came without a file is a workbook.
func (r Result) Format() string {
	switch r.Task.FileFormat {
	case FormatCSV, FormatTSV, FormatJSONLines:
		return r.Task.FileFormat
	case "json":
		return FormatJSONLines
	}
	return FormatXLSX
}

// Charset is the WHATWG name of the character set that Write uses for a
// format; empty for workbooks.
func (r Result) Charset(format string) string {
	switch {
	case format == FormatXLSX:
		return ""
	case format == FormatJSONLines || r.own(format) == nil || r.Task.FileEncoding == "":
		return "utf-8"
	}
	return r.Task.FileEncoding
}

// own is the task if format is one of its upload's: then its way of writing a
// text holds.
func (r Result) own(format string) *tasks.Task {
	text := []string{FormatCSV, FormatTSV}
	if slices.Contains(text, format) && r.Format() == format {
		return r.Task
	}
	return nil
}

// Write writes the result in one of the formats xlsx, csv, tsv and jsonl. It
// streams: memory does not grow with the rows, and nothing is put on a disk.
// After an error, what has been written is no whole file.
func (r Result) Write(w io.Writer, format string) error {
	r.Rows = ahead(r.Rows)
	switch format {
	case FormatXLSX:
		return r.writeXLSX(w)
	case FormatCSV, FormatTSV:
		return r.writeText(w, format)
	case FormatJSONLines:
		return r.writeLines(w)
	}
	return fmt.Errorf("importers: there is no result as %q", format)
}
