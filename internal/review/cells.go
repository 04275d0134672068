package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// maxCell is the greatest number of characters in a cell.
const maxCell = 32_767

// cell is a non-empty cell of a row.
type cell struct{ name, text string }

// readCells returns the cells of params, in their order. It returns an error if the params are not a JSON
// object whose values are all strings. Rows of a kind without columns may have other params.
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
		_ = enc.Encode(c.name) // no error: a string can always be encoded
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

// edit is the result of a change of cells in a row.
type edit struct {
	cells         []cell
	touched       map[string]bool // names in the edit, also those with an unchanged text
	before, after map[string]*string
	unclear       map[string]events.Field // by column, faults of typed numbers that are unclear in the notation of the task
}

// apply returns the edit that replaces the texts of cells. The argument `with` holds the new texts by the
// names of the cells in params. A new text that is equal to the old text is no change.
func apply(old []cell, with Cells) edit {
	out := edit{
		cells: slices.Clone(old), touched: map[string]bool{},
		before: map[string]*string{}, after: map[string]*string{},
	}
	for _, name := range slices.Sorted(maps.Keys(with)) {
		out.touched[name] = true
		oldText, newText := textOf(old, name), ""
		if with[name] != nil {
			newText = *with[name]
		}
		if oldText == newText {
			continue
		}
		out.before[name], out.after[name] = filled(oldText), filled(newText)
		at := slices.IndexFunc(out.cells, func(c cell) bool { return c.name == name })
		switch {
		case at < 0:
			out.cells = append(out.cells, cell{name, newText})
		case newText == "":
			out.cells = slices.Delete(out.cells, at, at+1)
		default:
			out.cells[at].text = newText
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

// CheckText returns why a text is invalid in a cell; "" if the text is valid.
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

// paramNames converts the columns of an edit to names in params. A column is a field of the kind, a
// column of the file, or a cell of the row. The name of a field may be in another case, or an alias. A
// masked text that came back unchanged is left out. For an unknown or repeated column, and for a text
// that cannot be stored, paramNames returns a *ColumnError.
func (j *Validator) paramNames(old []cell, with Cells) (Cells, *ColumnError) {
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
			if jobs.Untouched(textOf(old, name), *text) {
				continue // the masked text was sent back
			}
			if j.kind.Masked(name, *text) {
				return nil, &ColumnError{column, "The text of this column is masked: send the whole text."}
			}
			if wrong := CheckText(*text); wrong != "" {
				return nil, &ColumnError{column, wrong}
			}
		}
		out[name] = j.read(name, with[column])
	}
	return out, nil
}

// read converts a text that a user has typed to the notation of the task's cells, such as a decimal comma
// to a decimal point.
func (j *Validator) read(name string, text *string) *string {
	if text == nil {
		return nil
	}
	read := Typed(j.kind, j.task, name, *text)
	return &read
}

func (j *Validator) name(old []cell, column string) string {
	if j.columns[column] || slices.ContainsFunc(old, func(c cell) bool { return c.name == column }) {
		return column
	}
	if f := j.kind.Schema.Match([]string{column}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// tooLarge returns an error for params of more than rowschema.MaxParams bytes.
func tooLarge(params json.RawMessage) *ColumnError {
	if len(params) <= rowschema.MaxParams {
		return nil
	}
	return &ColumnError{"", fmt.Sprintf("The row holds more than %d kB of text.", rowschema.MaxParams>>10)}
}
