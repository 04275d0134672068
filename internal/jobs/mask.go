package jobs

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Show masks the params of a row for display. For a private kind it returns an empty object. It
// does not change params of other kinds without sensitive columns, and params that are not an
// object of strings.
func (k Kind) Show(params json.RawMessage) json.RawMessage {
	if k.Private {
		return json.RawMessage("{}")
	}
	if k.Schema == nil || !k.Schema.Secret() {
		return params
	}
	cells := map[string]string{}
	if json.Unmarshal(params, &cells) != nil {
		return params
	}
	for name, text := range cells {
		if text != "" && k.Schema.Hides(name) {
			cells[name] = rowschema.Mask(text)
		}
	}
	return rowschema.Params(cells)
}

// ShowValue masks a value of a sensitive column for display. column is the heading of the column.
func (k Kind) ShowValue(column, text string) string {
	if k.Schema == nil || text == "" || !k.Schema.Secret() || !k.Schema.Hides(column) {
		return text
	}
	return rowschema.Mask(text)
}

// Untouched reports whether the text that a user sent for a column is the masked form of the
// value old. The user has then not changed the value.
func (k Kind) Untouched(column, old, sent string) bool {
	shown := k.ShowValue(column, old)
	return shown != old && sent == shown
}

// ShowFailure masks the values of sensitive columns in a failure. It does not mask messages: the
// handler must keep sensitive values out of them.
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
