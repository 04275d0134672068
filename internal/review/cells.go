package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/worker"
)

// maxCell is the most characters of a cell.
const maxCell = 32_767

// cell is one cell of a row; empty ones are left out.
type cell struct{ name, text string }

// readCells reads params in their order. Params of a kind without columns may
// be no cells at all.
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
		name, _ := key.(string) // nothing else is a key
		out = append(out, cell{name, text})
	}
	return out, nil
}

// writeCells writes cells as params.
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

// edit is what an edit makes of a row.
type edit struct {
	cells         []cell
	touched       map[string]bool // also where it changes nothing
	before, after map[string]*string
}

// apply replaces cells, by the names that params have for them, and leaves those
// that change nothing as they are.
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

// CheckText tells why a text cannot stand in a cell, "" if it can.
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

// names turns the columns of an edit into what params call them: fields of the
// kind, whatever their case or alias, columns of the file, and cells of the row.
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
				continue // the bullets of a sensitive column came back
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

// tooLarge refuses params that no job can carry.
func tooLarge(params json.RawMessage) *ColumnError {
	if len(params) <= worker.MaxParams {
		return nil
	}
	return &ColumnError{"", fmt.Sprintf("The row holds more than %d kB of text.", worker.MaxParams>>10)}
}
