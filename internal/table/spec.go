package table

import (
	"fmt"
	"slices"
	"strings"
)

// The formats of a file.
const (
	XLSX      = "xlsx"
	CSV       = "csv"
	TSV       = "tsv"
	JSONLines = "jsonl"
)

// Column is a column of a file: its heading, and the type of its cells: text, number, integer, date
// or boolean.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type" schema:"enum=text|number|integer|date|boolean"`
}

// Spec describes the form of a file. The zero value is invalid: it has no format.
type Spec struct {
	// Format is xlsx, csv, tsv or jsonl.
	Format string `json:"format"`

	// Columns are the headings of the columns, in the order in which they are
	// written. Nil is all, as they come.
	Columns []string `json:"columns,omitempty"`

	// Delimiter stands between the cells of a csv file: , ; | or a tab. Default ",".
	Delimiter string `json:"delimiter,omitempty"`

	// Encoding is the character set of a csv or tsv file by its WHATWG name.
	// Default "utf-8".
	Encoding string `json:"encoding,omitempty"`

	// BOM has a csv or tsv file in Unicode begin with a byte order mark, by which
	// Excel knows it. Default false.
	BOM bool `json:"bom,omitempty"`

	// Compression is empty, gzip or zip. A workbook has its own.
	Compression string `json:"compression,omitempty"`
}

// Gzip and Zip are what Spec.Compression may be.
const (
	Gzip = "gzip"
	Zip  = "zip"
)

// BadSpec is a value that no file can have.
type BadSpec struct {
	Name   string // of the member, as in JSON
	Index  int    // of the column at fault; -1 if it is the member as a whole
	Detail string // in words for a person
}

// Error tells what is wrong.
func (b *BadSpec) Error() string { return b.Name + ": " + b.Detail }

func bad(name, format string, args ...any) *BadSpec {
	return &BadSpec{Name: name, Index: -1, Detail: fmt.Sprintf(format, args...)}
}

// Check finds what no file with these columns can have; nil if nothing.
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
	case !slices.Contains([]string{"", Gzip, Zip}, s.Compression):
		return bad("compression", "compression is gzip or zip.")
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

// Pick tells which columns are written, in their order, by their index.
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

// Ending is that of the name of the file, such as ".csv.gz".
func (s Spec) Ending() string {
	switch s.Compression {
	case Gzip:
		return "." + s.Format + ".gz"
	case Zip:
		return ".zip"
	}
	return "." + s.Format
}
