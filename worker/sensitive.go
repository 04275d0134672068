package worker

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// bullets stand for what is not shown, whatever its length.
const bullets = "••••"

// Show is a text of this column as it may be shown to anybody: of a sensitive
// one, the last four characters of eight and more, the last two of five and
// more. Other columns are shown as they are.
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

// sensitive tells whether a text of params must not be shown: of a sensitive
// column, whatever it is headed, and of cells that belong to no column.
func (s *Schema) sensitive(name string) bool {
	if strings.HasPrefix(name, "column ") {
		return true
	}
	heading, _, _ := strings.Cut(name, " (column ")
	f := s.find(heading)
	return f != nil && f.Sensitive
}

// Secret tells whether the schema has a sensitive column.
func (s *Schema) Secret() bool {
	for i := range s.Fields {
		if s.Fields[i].Sensitive {
			return true
		}
	}
	return false
}

// Show is the params of a row as they may be shown to anybody. Params of a kind
// without sensitive columns, and what is no object of texts, stay as they are.
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

// ShowValue is a value of a column, by its heading, as it may be shown.
func (k Kind) ShowValue(column, text string) string {
	if k.Schema == nil || text == "" || !k.Schema.Secret() || !k.Schema.sensitive(column) {
		return text
	}
	return masked(text)
}

// Untouched tells whether a text that comes back for a column is only what was
// shown instead of old, a sensitive one: nobody has changed it.
func (k Kind) Untouched(column, old, sent string) bool {
	shown := k.ShowValue(column, old)
	return shown != old && sent == shown
}

// ShowFailure hides the values of sensitive columns in a failure. What its
// messages say is the handler's.
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
