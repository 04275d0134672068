package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// These are the maximum numbers of unusual values of a column.
const (
	unusualShown   = 5    // values in a preview
	unusualCounted = 1000 // different values; rows with other values only count in Unusual.Count
)

// Unusual holds the values of a column that are not among its usual values. The option
// worker.Known sets the usual values. A row with another value is valid, but its handler may reject
// it.
type Unusual struct {
	Column   string   `json:"column"`
	Count    int64    `json:"count" doc:"Number of valid rows with such a value."`
	FirstRow int      `json:"first_row"`
	Values   []string `json:"values" doc:"The most frequent of these values." schema:"maxItems=5"`
}

// unusualColumn holds how often each unusual value of a column occurs.
type unusualColumn struct {
	Unusual
	field  *rowschema.Field
	counts map[string]int64
}

// unusualColumns returns the columns for which the kind sets usual values. It leaves out columns with
// masked values, and columns with a list of allowed values.
func unusualColumns(schema *rowschema.Schema) (out []*unusualColumn) {
	if schema == nil {
		return nil
	}
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.Known != nil && f.Enum == nil && !f.Sensitive {
			out = append(out, &unusualColumn{Unusual{Column: f.Name}, f, map[string]int64{}})
		}
	}
	return out
}

// addUnusual counts the unusual values of a valid row.
func (s *previewBuilder) addUnusual(row int, params json.RawMessage) error {
	if len(s.unusual) == 0 {
		return nil
	}
	texts := make([]string, len(s.unusual))
	err := flatjson.Members(string(params), func(name, text string) {
		for i, u := range s.unusual {
			if u.Column == name {
				texts[i] = strings.TrimSpace(text)
			}
		}
	})
	for i, u := range s.unusual {
		if texts[i] != "" && !slices.Contains(u.field.Known, texts[i]) {
			u.add(row, texts[i])
		}
	}
	return err
}

func (u *unusualColumn) add(row int, text string) {
	if u.Count++; u.Count == 1 {
		u.FirstRow = row
	}
	if _, ok := u.counts[text]; ok || len(u.counts) < unusualCounted {
		u.counts[text]++
	}
}

// unusualOf returns the columns in which unusual values were found.
func unusualOf(columns []*unusualColumn) (out []Unusual) {
	for _, u := range columns {
		if u.Count == 0 {
			continue
		}
		values := slices.SortedFunc(maps.Keys(u.counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(u.counts[b], u.counts[a]), cmp.Compare(a, b))
		})
		u.Values = values[:min(len(values), unusualShown)]
		out = append(out, u.Unusual)
	}
	return out
}
