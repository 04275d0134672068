package rowschema

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/shopspring/decimal"
)

// Cast parses params into the struct that args points to, and returns the values of the struct by
// field. The values are texts, numbers, booleans, and times as text. Cast leaves out empty fields
// and fields with a fault. It returns nil if the params are no object of texts.
func (s *Schema) Cast(args any, params json.RawMessage) map[string]any {
	cells := map[string]string{}
	if json.Unmarshal(params, &cells) != nil {
		return nil
	}
	bad := map[string]bool{}
	for _, fault := range s.Parse(args, func(f *Field) string { return cells[f.Name] }) {
		bad[fault.Column] = true
	}
	out, v := map[string]any{}, reflect.ValueOf(args).Elem()
	for i := range s.Fields {
		f := &s.Fields[i]
		if cells[f.Name] != "" && !bad[f.Name] {
			out[f.Name] = plainValue(reflect.Indirect(f.Value(v)))
		}
	}
	return out
}

// plainValue converts a value for JSON: numbers with all digits, times as RFC 3339, and days
// without the time of day.
func plainValue(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch x := v.Interface().(type) {
	case decimal.Decimal:
		return json.Number(x.String())
	case time.Time:
		if x.Equal(x.Truncate(24*time.Hour)) && x.Location() == time.UTC {
			return x.Format(time.DateOnly)
		}
		return x.Format(time.RFC3339Nano)
	}
	return v.Interface()
}
