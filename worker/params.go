package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
)

// Limits of a job, in bytes.
const (
	MaxParams = 200 << 10 // of the arguments as JSON
	MaxKey    = 256       // of the ordering key
)

var errNoText = errors.New("its JSON is not UTF-8")

// CodeRowTooLarge is the code of arguments over MaxParams.
const CodeRowTooLarge = "ROW_TOO_LARGE"

// draft returns args as a row of the ledger: in the form of a file's row, validated, and failed if
// they are wrong. Its error is a programmer's mistake.
func (d *Definition[T]) draft(args T, key *string) (events.Draft, error) {
	row := events.Draft{Row: 1}
	var faults []events.Field
	if d.schema == nil {
		row.Params, faults = plainParams(args)
	} else {
		cells, err := d.schema.cells(reflect.ValueOf(&args).Elem())
		if err != nil {
			return row, fmt.Errorf("worker: %s: %w", d.kind.Name, err)
		}
		row.Key, faults = d.check(func(f *Field) string { return cells[f.Name] })
		row.Params = paramsOf(cells)
	}
	if key != nil {
		row.Key = *key
	}
	if len(row.Key) > MaxKey || !utf8.ValidString(row.Key) || strings.ContainsRune(row.Key, 0) {
		row.Key = ""
		faults = append(faults, Say(events.Field{Code: CodeInvalidValue}, "key.invalid", "n", strconv.Itoa(MaxKey)))
	}
	if n := len(row.Params); n > MaxParams {
		row.Params = json.RawMessage("{}")
		faults = append(faults, Say(events.Field{Code: CodeRowTooLarge}, "arguments.large",
			"kb", strconv.Itoa(n>>10), "n", strconv.Itoa(MaxParams>>10)))
	}
	row.Failure = Invalid(faults)
	return row, nil
}

// Params returns args in the form of Call.Params: the cells of a file, or plain JSON for a kind
// without columns; key is the ordering key of the key field. Arguments that break a rule are a
// *Failure that lists every fault.
func (d *Definition[T]) Params(args T) (params json.RawMessage, key string, err error) {
	row, err := d.draft(args, nil)
	if err == nil && row.Failure != nil {
		err = &Failure{*row.Failure}
	}
	return row.Params, row.Key, err
}

// plainParams returns arguments without columns, as JSON.
func plainParams(args any) (json.RawMessage, []events.Field) {
	b, err := json.Marshal(args)
	if err == nil && !utf8.Valid(b) { // from a json.RawMessage or a MarshalJSON
		err = errNoText
	}
	if err != nil {
		return json.RawMessage("{}"), []events.Field{
			Say(events.Field{Code: CodeInvalidValue}, "arguments.unwritten", "why", err.Error()),
		}
	}
	return b, nil
}

// paramsOf returns cells as a JSON object, without empty ones, in a fixed order.
func paramsOf(cells map[string]string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(cells) // texts always encode
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// cells returns arguments as the cells of a row, by field, without empty ones. A value in a field
// without a column would be lost, and is an error.
func (s *Schema) cells(args reflect.Value) (map[string]string, error) {
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
			return nil, fmt.Errorf("the field %s has a value and no row tag: it would be lost", sf.Name)
		}
	}
	return out, nil
}

// cellText formats a value as a cell that parses to an equal value.
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
