package results

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"

	"golang.org/x/text/transform"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/textfile"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
)

// writeText writes the result as CSV or TSV. If the upload has the same format, the result has the
// delimiter and character set of the upload.
func (r Result) writeText(w io.Writer, format string) (err error) {
	set, err := table.NewCharset(r.Charset(format))
	if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	buf := bufio.NewWriter(w)                      // short headings are sent only after the first row was read
	if _, err := buf.Write(set.Mark); err != nil { // so that Excel detects the character set
		return err
	}
	coded := transform.NewWriter(buf, set.NewEncoder())
	out := csv.NewWriter(coded)
	if out.Comma = ','; format == tabular.FormatTSV {
		out.Comma = '\t'
	}
	if t := r.ownTask(format); t != nil && textfile.IsDelimiter(t.FileDelimiter) {
		out.Comma = rune(t.FileDelimiter[0])
	}
	b := NewLayout(r.Task, r.Kind)
	if err := out.Write(r.spelt(set, b.headings())); err != nil {
		return err
	}
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		cells, err := b.cells(e)
		if err != nil {
			return err
		}
		if err := out.Write(r.spelt(set, cells)); err != nil {
			return err
		}
	}
	out.Flush()
	return errors.Join(out.Error(), coded.Close(), buf.Flush())
}

// spelt returns texts in the form in which the file contains them. Formulas get an apostrophe unless
// Result.Raw is true, and letters that the character set lacks become HTML escapes such as &#128512;.
func (r Result) spelt(set *table.Charset, cells []string) []string {
	for i, c := range cells {
		if !r.Raw {
			c = table.Guard(c)
		}
		cells[i] = set.Spell(c)
	}
	return cells
}

// writeLines writes one JSON object per row: the values of the row, and then its outcome.
func (r Result) writeLines(w io.Writer) error {
	b, out := NewLayout(r.Task, r.Kind), bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		if line, err = b.appendObject(line[:0], e); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendObject appends a row as a JSON object. Values that belong to no column follow the columns, sorted
// by name.
func (b *Layout) appendObject(line []byte, e *events.Event) ([]byte, error) {
	params, err := b.ParamsOf(e)
	if err != nil {
		return nil, err
	}
	line = append(line, '{')
	for i, c := range b.Columns {
		line = append(flatjson.AppendText(line, c.Header), ':')
		line = append(b.appendValue(line, i, params[b.Params[i]]), ',')
		delete(params, b.Params[i])
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		line = append(flatjson.AppendText(line, name), ':')
		line = append(flatjson.AppendText(line, params[name]), ',')
	}
	own := b.ownOf(e)
	for i, name := range b.Own {
		line = append(flatjson.AppendText(line, jsonName(name)), ':')
		switch {
		case i == resultfile.Row:
			line = append(line, own[i]...)
		case own[i] == "":
			line = append(line, "null"...)
		default:
			line = flatjson.AppendText(line, own[i])
		}
		line = append(line, ',')
	}
	line[len(line)-1] = '}'
	return line, nil
}

// jsonName returns the JSON name of one of the headings that Rollcall adds.
func jsonName(heading string) string {
	return strings.ReplaceAll(strings.ToLower(heading), " ", "_")
}

// appendValue appends the value of a column as JSON; null if the value is "". It appends a JSON number if
// the method `number` accepts the value, and otherwise a JSON string. The value of the column that
// contains all params is JSON already, so appendValue leaves it unchanged.
func (b *Layout) appendValue(line []byte, column int, value string) []byte {
	switch {
	case value == "":
		return append(line, "null"...)
	case b.plain:
		return append(line, value...)
	}
	if plain, digits := b.number(column, value); digits >= 0 {
		return append(line, plain...)
	}
	return flatjson.AppendText(line, value)
}

// number returns the value of a column with a decimal point, and the count of its decimals. The count is
// -1 if the column has no numbers, or if a spreadsheet would change the text of the number.
func (b *Layout) number(column int, value string) (plain string, digits int) {
	if column >= len(b.Columns) || !b.numeric(column) {
		return "", -1
	}
	plain = value
	if f := b.fields[column]; f.Locale != "" {
		plain = strings.Replace(value, ",", ".", 1)
		if f.Local(plain) != value {
			return "", -1
		}
	}
	return plain, table.Decimals(plain)
}

func (b *Layout) numeric(column int) bool {
	f := b.fields[column]
	return f != nil && (f.Type == "number" || f.Type == "integer")
}
