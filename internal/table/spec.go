package table

import (
	"fmt"
	"slices"
	"strings"
)

// These are the formats of a file.
const (
	XLSX      = "xlsx"
	CSV       = "csv"
	TSV       = "tsv"
	JSONLines = "jsonl"
)

// Column is a column of a file, with its heading and the type of its cells: text, number, integer,
// date or boolean.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type" schema:"enum=text|number|integer|date|boolean"`
}

// Spec is the form of a file. The zero value is invalid: it has no format.
type Spec struct {
	// Format is xlsx, csv, tsv or jsonl.
	Format string `json:"format"`

	// Columns are the headings of the columns in their order. Nil means all columns.
	Columns []string `json:"columns,omitempty"`

	// Delimiter separates the cells of a csv file: , ; | or a tab. Default ",".
	Delimiter string `json:"delimiter,omitempty"`

	// Encoding is the WHATWG name of the character set of a csv or tsv file. Default "utf-8".
	Encoding string `json:"encoding,omitempty"`

	// BOM adds a byte order mark to a csv or tsv file in Unicode. Excel needs it to recognize
	// Unicode. Default false.
	BOM bool `json:"bom,omitempty"`

	// Raw writes texts of a csv or tsv file unchanged, without the apostrophe that Guard adds. Set it only
	// for files that a program reads: a spreadsheet would run such a text as a formula. Default false.
	Raw bool `json:"raw,omitempty"`

	// Compression is empty, gzip or zip. It must be empty for a workbook, which has its own compression.
	Compression string `json:"compression,omitempty"`
}

// Gzip and Zip are the values of Spec.Compression.
const (
	Gzip = "gzip"
	Zip  = "zip"
)

// BadSpec is the error of an invalid value in a Spec.
type BadSpec struct {
	Name   string // of the member, as in JSON
	Index  int    // of the column at fault; -1 for the member as a whole
	Detail string // the reason, for users
}

// Error returns the fault.
func (b *BadSpec) Error() string { return b.Name + ": " + b.Detail }

func bad(name, format string, args ...any) *BadSpec {
	return &BadSpec{Name: name, Index: -1, Detail: fmt.Sprintf(format, args...)}
}

// Check returns the fault of a spec for the possible columns; nil if the spec is valid.
func (s Spec) Check(columns []Column) *BadSpec {
	text := s.Format == CSV || s.Format == TSV
	switch {
	case !slices.Contains([]string{XLSX, CSV, TSV, JSONLines}, s.Format):
		return bad("format", "format must be xlsx, csv, tsv or jsonl.")
	case s.Delimiter != "" && s.Format != CSV:
		return bad("delimiter", "delimiter is for csv files.")
	case !slices.Contains([]string{"", ",", ";", "\t", "|"}, s.Delimiter):
		return bad("delimiter", `delimiter is one of , ; | and a tab ("\t").`)
	case (s.Encoding != "" || s.BOM) && !text:
		return bad("encoding", "encoding and bom are for csv and tsv files.")
	case s.Raw && !text:
		return bad("raw", "raw is for csv and tsv files.")
	case !slices.Contains([]string{"", Gzip, Zip}, s.Compression):
		return bad("compression", "compression must be gzip or zip.")
	case s.Compression != "" && s.Format == XLSX:
		return bad("compression", "A workbook is compressed by itself: leave compression out.")
	}
	set, err := NewCharset(s.Encoding)
	if err != nil {
		return bad("encoding", "The character set %.50q is not known.", s.Encoding)
	}
	if s.BOM && len(set.Mark) == 0 {
		return bad("bom", "%s has no byte order mark: leave bom out.", s.Encoding)
	}
	return s.checkColumns(columns)
}

func (s Spec) checkColumns(columns []Column) *BadSpec {
	if s.Columns != nil && len(s.Columns) == 0 {
		return bad("columns", "columns must name at least one column, or be left out.")
	}
	seen := map[string]bool{}
	for i, name := range s.Columns {
		known := slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name })
		if known && !seen[name] {
			seen[name] = true
			continue
		}
		b := bad("columns", "%.100q occurs twice.", name)
		if !known {
			var names []string
			for _, c := range columns {
				names = append(names, c.Name)
			}
			b = bad("columns", "There is no column %.100q. There are: %s.", name, strings.Join(names, ", "))
		}
		b.Index = i
		return b
	}
	return nil
}

// Pick returns the indexes of the selected columns, in the order of the selection. Without a selection,
// it returns the indexes of all columns.
func (s Spec) Pick(columns []Column) []int {
	var out []int
	if s.Columns == nil {
		for i := range columns {
			out = append(out, i)
		}
		return out
	}
	for _, name := range s.Columns {
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
		if i >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// Ending returns the ending of the file name, such as ".csv.gz".
func (s Spec) Ending() string {
	switch s.Compression {
	case Gzip:
		return "." + s.Format + ".gz"
	case Zip:
		return ".zip"
	}
	return "." + s.Format
}
