package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// maxCell is the most characters of a cell.
const maxCell = 32_767

// cell is one cell of a row; empty ones are left out.
type cell struct{ name, text string }

// readCells parses params in their order. Params of a kind without columns may hold no cells.
func readCells(params string) ([]cell, error) {
	dec := json.NewDecoder(strings.NewReader(params))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("review: params are no object: %w", err)
	}
	var out []cell
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("review: params: %w", err)
		}
		var text string
		if err := dec.Decode(&text); err != nil {
			return nil, fmt.Errorf("review: params: %w", err)
		}
		name, _ := key.(string) // a key is always a string
		out = append(out, cell{name, text})
	}
	return out, nil
}

// writeCells returns cells as params.
func writeCells(list []cell) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, c := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		_ = enc.Encode(c.name) // texts always encode
		b.Truncate(b.Len() - 1)
		b.WriteByte(':')
		_ = enc.Encode(c.text)
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func textOf(list []cell, name string) string {
	for _, c := range list {
		if c.name == name {
			return c.text
		}
	}
	return ""
}

// edit is the result of an edit of a row.
type edit struct {
	cells         []cell
	touched       map[string]bool // also without a change
	before, after map[string]*string
}

// apply replaces cells, given by their names in params, and ignores equal texts.
func apply(old []cell, with Cells) edit {
	out := edit{
		cells: slices.Clone(old), touched: map[string]bool{},
		before: map[string]*string{}, after: map[string]*string{},
	}
	for _, name := range slices.Sorted(maps.Keys(with)) {
		out.touched[name] = true
		was, is := textOf(old, name), ""
		if with[name] != nil {
			is = *with[name]
		}
		if was == is {
			continue
		}
		out.before[name], out.after[name] = filled(was), filled(is)
		at := slices.IndexFunc(out.cells, func(c cell) bool { return c.name == name })
		switch {
		case at < 0:
			out.cells = append(out.cells, cell{name, is})
		case is == "":
			out.cells = slices.Delete(out.cells, at, at+1)
		default:
			out.cells[at].text = is
		}
	}
	return out
}

func filled(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// CheckText returns the reason why a text is invalid in a cell; "" for a valid one.
func CheckText(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "The text is not UTF-8."
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) }):
		return "The text holds a control character."
	case len(text) > maxCell && utf8.RuneCountInString(text) > maxCell:
		return fmt.Sprintf("The text is longer than %d characters.", maxCell)
	}
	return ""
}

// names converts the columns of an edit to names in params: fields of the kind, in any case or by
// alias, columns of the file, and cells of the row.
func (j *Judge) names(old []cell, with Cells) (Cells, *ColumnError) {
	out := Cells{}
	for _, column := range slices.Sorted(maps.Keys(with)) {
		name := j.name(old, column)
		if name == "" {
			return nil, &ColumnError{column, fmt.Sprintf("There is no column %.100q.", column)}
		}
		if _, twice := out[name]; twice {
			return nil, &ColumnError{column, fmt.Sprintf("The column %.100q occurs twice.", name)}
		}
		if text := with[column]; text != nil {
			if j.kind.Untouched(name, textOf(old, name), *text) {
				continue // the masked text of a sensitive column was sent back
			}
			if wrong := CheckText(*text); wrong != "" {
				return nil, &ColumnError{column, wrong}
			}
		}
		out[name] = with[column]
	}
	return out, nil
}

func (j *Judge) name(old []cell, column string) string {
	if j.columns[column] || slices.ContainsFunc(old, func(c cell) bool { return c.name == column }) {
		return column
	}
	if f := j.kind.Schema.Match([]string{column}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// tooLarge returns an error for params that are too large for a job.
func tooLarge(params json.RawMessage) *ColumnError {
	if len(params) <= rowschema.MaxParams {
		return nil
	}
	return &ColumnError{"", fmt.Sprintf("The row holds more than %d kB of text.", rowschema.MaxParams>>10)}
}
