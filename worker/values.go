package worker

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/shopspring/decimal"
)

// cast returns the values of params by field: see Kind.Cast.
func (d *Definition[T]) cast(params json.RawMessage) map[string]any {
	cells := map[string]string{}
	if json.Unmarshal(params, &cells) != nil {
		return nil
	}
	var args T
	bad := map[string]bool{}
	for _, fault := range d.schema.parse(&args, func(f *Field) string { return cells[f.Name] }) {
		bad[fault.Column] = true
	}
	out, v := map[string]any{}, reflect.ValueOf(&args).Elem()
	for i := range d.schema.Fields {
		f := &d.schema.Fields[i]
		if cells[f.Name] != "" && !bad[f.Name] {
			out[f.Name] = plainValue(reflect.Indirect(v.FieldByIndex(f.index)))
		}
	}
	return out
}

// plainValue returns a value for JSON: numbers with all digits, times as RFC 3339, days without the
// hour.
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
