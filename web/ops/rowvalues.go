package ops

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// rowValues returns the values of a row with the names of their columns, in the order of the kind's
// columns. Values of other columns come last, sorted by name. Values of a kind that is unregistered
// or has no columns are all sorted by name. Params that are not a JSON object are one value without
// a name.
func rowValues(kind jobs.Kind, params json.RawMessage) (out []opsField) {
	var cells map[string]json.RawMessage
	if json.Unmarshal(params, &cells) != nil {
		return []opsField{{"", string(params)}}
	}
	var fields []rowschema.Field
	if kind.Schema != nil {
		fields = kind.Schema.Fields
	}
	for i := range fields {
		name := fields[i].Name
		if raw, ok := cells[name]; ok {
			out = append(out, opsField{name, plainValue(raw)})
			delete(cells, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		out = append(out, opsField{name, plainValue(cells[name])})
	}
	return out
}

// plainValue returns the text of a JSON string, "" for null, and other JSON unchanged.
func plainValue(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// resubmitRow returns the bulk action that resubmits one row.
func resubmitRow(by string, seq int64) review.BulkAction {
	return review.BulkAction{Act: review.Resubmit, By: by, Seqs: []int64{seq}}
}
