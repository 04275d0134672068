package worker

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

var errNoText = errors.New("its JSON is not UTF-8")

// draft validates args like the cells of a file, and converts them to a draft. If args break a rule, the
// draft has a Failure. An error means a mistake of the programmer.
func (d *Definition[T]) draft(args T, key *string) (events.Draft, error) {
	row := events.Draft{Row: 1}
	var faults []events.Field
	if d.schema == nil {
		row.Params, faults = plainParams(args)
	} else {
		cells, err := d.cells(args)
		if err != nil {
			return row, err
		}
		read := func(f *rowschema.Field) string { return cells[f.Name] }
		row.Key, faults = d.check(read)
		row.Score = d.schema.Version(read)
		row.Params = rowschema.Params(cells)
	}
	if key != nil {
		row.Key = *key
	}
	if len(row.Key) > MaxKey || !textutil.Storable(row.Key) {
		row.Key = ""
		faults = append(faults, rowschema.Say(events.Field{Code: CodeInvalidValue}, "key.invalid", "n", strconv.Itoa(MaxKey)))
	}
	if n := len(row.Params); n > MaxParams {
		row.Params = json.RawMessage("{}")
		faults = append(faults, rowschema.Say(events.Field{Code: CodeRowTooLarge}, "arguments.large",
			"kb", strconv.Itoa(n>>10), "n", strconv.Itoa(MaxParams>>10)))
	}
	row.Failure = rowschema.Invalid(faults)
	return row, nil
}

// plainParams returns the arguments of a kind without columns, as JSON, or the fault of arguments
// without a JSON form.
func plainParams(args any) (json.RawMessage, []events.Field) {
	b, err := json.Marshal(args)
	if err == nil && !utf8.Valid(b) { // from a json.RawMessage or a MarshalJSON
		err = errNoText
	}
	if err != nil {
		return json.RawMessage("{}"), []events.Field{
			rowschema.Say(events.Field{Code: CodeInvalidValue}, "arguments.unwritten", "why", err.Error()),
		}
	}
	return b, nil
}
