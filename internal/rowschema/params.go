package rowschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/shopspring/decimal"
)

// These constants are the maximum sizes of the parts of a job, in bytes.
const (
	MaxParams = 200 << 10 // of the arguments as JSON
	MaxKey    = 256       // of the ordering key
)

// Params returns cells as a JSON object, in a fixed order.
func Params(cells map[string]string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(cells) // texts always encode
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Cells converts arguments to the cells of a row, by field. It leaves out empty cells. It returns
// an error for a value in a struct field without a column, because the value would be lost.
func (s *Schema) Cells(args reflect.Value) (map[string]string, error) {
	out := map[string]string{}
	for i := range s.Fields {
		f := &s.Fields[i]
		if text := cellText(args.FieldByIndex(f.index)); text != "" {
			out[f.Name] = f.Local(text)
		}
	}
	for _, sf := range reflect.VisibleFields(args.Type()) {
		if sf.Tag.Get("row") != "" || sf.Anonymous || !sf.IsExported() {
			continue
		}
		if v, err := args.FieldByIndexErr(sf.Index); err == nil && !v.IsZero() {
			return nil, fmt.Errorf("the field %s has a value but no row tag, so the value would be lost", sf.Name)
		}
	}
	return out, nil
}

// cellText formats a value as the text of a cell, without loss of digits. A nil pointer and a zero
// time have the empty text.
func cellText(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case decimal.Decimal:
		return x.String()
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return strconv.FormatInt(v.Int(), 10)
}
