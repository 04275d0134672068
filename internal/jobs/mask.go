package jobs

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Show masks the params of a row for display. For a private kind it returns an empty object. For a hidden
// kind it masks all values; for any other kind, the values of sensitive columns. If the kind is hidden or
// has a sensitive column, and the params are not an object of strings, it masks all values.
func (k Kind) Show(params json.RawMessage) json.RawMessage {
	if k.Private {
		return json.RawMessage("{}")
	}
	if !k.Secret() || len(params) == 0 {
		return params
	}
	cells := map[string]string{}
	if json.Unmarshal(params, &cells) != nil {
		return maskAll(params)
	}
	for name, text := range cells {
		if text != "" && k.Hides(name) {
			cells[name] = rowschema.Mask(text)
		}
	}
	return rowschema.Params(cells)
}

// Secret reports whether the kind has a sensitive column, or may have one.
func (k Kind) Secret() bool { return k.Hidden || k.Schema != nil && k.Schema.Secret() }

// maskAll masks all values of params. It returns an empty object for params that are not an object.
func maskAll(params json.RawMessage) json.RawMessage {
	values, cells := map[string]json.RawMessage{}, map[string]string{}
	_ = json.Unmarshal(params, &values) // values stays empty
	for name := range values {
		cells[name] = rowschema.Mask("")
	}
	return rowschema.Params(cells)
}

// Hides reports whether the values of a column are masked for display. The argument `column` is the
// heading of the column.
func (k Kind) Hides(column string) bool {
	return k.Hidden || k.Schema != nil && k.Schema.Secret() && k.Schema.Hides(column)
}

// ShowValue masks a value of a sensitive column for display, and returns other values unchanged.
// The argument `column` is the heading of the column.
func (k Kind) ShowValue(column, text string) string {
	if text == "" || !k.Hides(column) {
		return text
	}
	return rowschema.Mask(text)
}

// Untouched reports whether the text that a user sent for a cell is the masked form of the value `old`. The
// user has then not changed the value. This also applies to columns that are not sensitive: while no
// process registers a kind, all its columns are masked.
func Untouched(old, sent string) bool {
	return old != "" && sent != old && sent == rowschema.Mask(old)
}

// Masked reports whether the text that a user sent for a sensitive column has the form of a masked
// value. Callers reject such a text, since it may be the masked form of an earlier value of the cell.
func (k Kind) Masked(column, sent string) bool {
	return k.Hides(column) && rowschema.Masked(sent)
}

// ShowFailure returns a failure with masked values of sensitive columns. It does not mask messages:
// the handler must keep sensitive values out of them.
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
