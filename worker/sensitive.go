package worker

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// bullets replace hidden text, whatever its length.
const bullets = "••••"

// Show returns a text of this column for display. For a sensitive column it returns only the last
// four characters of eight or more, or the last two of five or more. Other columns are shown
// unchanged.
func (f *Field) Show(text string) string {
	if !f.Sensitive || text == "" {
		return text
	}
	return masked(text)
}

func masked(text string) string {
	r := []rune(strings.TrimSpace(text))
	tail := 0
	switch {
	case len(r) >= 8:
		tail = 4
	case len(r) >= 5:
		tail = 2
	}
	return bullets + string(r[len(r)-tail:])
}

// sensitive reports whether a text of params must be masked: a text of a sensitive column, under
// any heading, or of a cell without a column.
func (s *Schema) sensitive(name string) bool {
	if strings.HasPrefix(name, "column ") {
		return true
	}
	heading, _, _ := strings.Cut(name, " (column ")
	f := s.find(heading)
	return f != nil && f.Sensitive
}

// Secret reports whether the schema has a sensitive column.
func (s *Schema) Secret() bool {
	for i := range s.Fields {
		if s.Fields[i].Sensitive {
			return true
		}
	}
	return false
}

// Show masks the params of a row for display. Params of a kind without sensitive columns, and
// params that are not an object of texts, stay unchanged.
func (k Kind) Show(params json.RawMessage) json.RawMessage {
	if k.Schema == nil || !k.Schema.Secret() {
		return params
	}
	cells := map[string]string{}
	if json.Unmarshal(params, &cells) != nil {
		return params
	}
	for name, text := range cells {
		if text != "" && k.Schema.sensitive(name) {
			cells[name] = masked(text)
		}
	}
	return paramsOf(cells)
}

// ShowValue masks a value of a column, by its heading, for display.
func (k Kind) ShowValue(column, text string) string {
	if k.Schema == nil || text == "" || !k.Schema.Secret() || !k.Schema.sensitive(column) {
		return text
	}
	return masked(text)
}

// Untouched reports whether a text sent back for a column is the masked form of old, so that the
// user has not changed it.
func (k Kind) Untouched(column, old, sent string) bool {
	shown := k.ShowValue(column, old)
	return shown != old && sent == shown
}

// ShowFailure masks the values of sensitive columns in a failure. The handler is responsible for
// its messages.
func (k Kind) ShowFailure(f *events.Failure) *events.Failure {
	if f == nil || k.Schema == nil || !k.Schema.Secret() {
		return f
	}
	out := *f
	out.Value = k.ShowValue(f.Column, f.Value)
	out.Fields = append([]events.Field(nil), f.Fields...)
	for i := range out.Fields {
		out.Fields[i].Value = k.ShowValue(out.Fields[i].Column, out.Fields[i].Value)
	}
	return &out
}
