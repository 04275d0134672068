package scaffold

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// The first typeRows rows determine the types of the columns, and the first sampleRows rows become
// the sample.
const (
	typeRows   = 1000
	sampleRows = 3
)

// sample holds the headings and the first rows of a file.
type sample struct {
	header []string
	rows   [][]string // each as long as header
}

// readSample reads the headings and the first typeRows rows of a file, with the same reader as an
// import.
func readSample(name string) (s sample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	t, err := source.Open(f, info.Size(), source.Options{Name: filepath.Base(name)})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	s.header = t.Header
	for len(s.rows) < typeRows {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		s.rows = append(s.rows, texts(row, len(s.header)))
	}
	return s, nil
}

// texts returns the texts of the first `columns` cells of a row. A missing cell is "".
func texts(row tabular.Row, columns int) []string {
	out := make([]string, columns)
	for i, cell := range row.Cells {
		if i < columns {
			out[i] = cell.Text
		}
	}
	return out
}

func (s sample) column(i int) (values []string) {
	for _, row := range s.rows {
		values = append(values, row[i])
	}
	return values
}

// csv returns the headings and the first sampleRows rows as a CSV file.
func (s sample) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(s.header)                                 // writes to a buffer do not fail
	_ = w.WriteAll(s.rows[:min(sampleRows, len(s.rows))]) // writes to a buffer do not fail
	return b.Bytes()
}
