package drafts

import (
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// JSONColumns returns one column for each field of the kind, in the order of the fields.
func JSONColumns(kind jobs.Kind) []tasks.Column {
	var out []tasks.Column
	for _, f := range kind.Schema.Fields {
		out = append(out, tasks.Column{Header: f.Name, Field: f.Name})
	}
	return out
}

// JSONRows is a converter of JSON objects to drafts of a kind. It matches names with fields by the
// same rules as headings. It is not safe for concurrent use.
type JSONRows struct {
	maker *Maker
	cells tabular.Builder
	known map[string]*rowschema.Field // fields by name as written; nil if there is none
}

// NewJSONRows returns a converter for rows of a kind. The kind must have columns.
func NewJSONRows(kind jobs.Kind, l tabular.Limits) *JSONRows {
	return &JSONRows{
		maker: NewMaker(kind, JSONColumns(kind)), known: map[string]*rowschema.Field{},
		cells: tabular.Builder{Chars: l.WithDefaults().CellChars},
	}
}

// By makes the field with the given name the ordering key, instead of the kind's key. A name that
// is "" or unknown changes nothing.
func (j *JSONRows) By(keyName string) *JSONRows {
	j.maker.By(keyName)
	return j
}

// Draft validates a row. An invalid row becomes a failed draft with its readable values. A malformed
// row becomes a failed draft with the beginning of its text.
func (j *JSONRows) Draft(number int, text []byte) events.Draft {
	list, err := jsonrows.Parse(text)
	if err != nil {
		return j.maker.unread(number, text, err)
	}
	j.cells.Reset()
	var faults []events.Field
	for _, m := range list {
		f := j.field(m.Name)
		if f == nil {
			faults = append(faults, j.unknown(m))
			continue
		}
		col := j.maker.place[f.Name]
		if j.cells.Has(col) {
			faults = append(faults, rowschema.Say(events.Field{
				Column: f.Name, Value: j.maker.kind.ShowValue(m.Name, textutil.Truncate(m.Text, tabular.MaxQuoted)), Code: jsonrows.CodeDuplicateField,
			}, "json.again", "name", textutil.Truncate(m.Name, tabular.MaxQuoted)))
			continue
		}
		from := len(j.cells.Text)
		j.cells.Text = append(j.cells.Text, m.Text...)
		j.cells.PutValue(col, from, m.Plain)
	}
	return j.maker.judge(j.cells.Row(number, len(j.maker.Columns)), faults)
}

// TooLong returns a failed draft for a row of more than jsonrows.MaxBytes bytes. The argument `text` is the
// beginning of the row.
func (j *JSONRows) TooLong(number int, text []byte) events.Draft {
	return j.maker.unread(number, text,
		jsonrows.NewMalformed("", rowschema.CodeRowTooLarge, "row.long", "n", strconv.Itoa(jsonrows.MaxBytes>>20)))
}

// KeyName returns the name that faults use for the key field, or "" if rows have no key.
func (j *JSONRows) KeyName() string { return j.maker.KeyName() }

func (j *JSONRows) field(name string) *rowschema.Field {
	f, ok := j.known[name]
	if !ok {
		f = j.maker.kind.Schema.Match([]string{name}, nil).Fields[0]
		if len(j.known) < jsonrows.MaxValues {
			j.known[name] = f
		}
	}
	return f
}

func (j *JSONRows) unknown(m jsonrows.Member) events.Field {
	var names []string
	for _, f := range j.maker.kind.Schema.Fields {
		names = append(names, f.Name)
	}
	name := textutil.Truncate(m.Name, tabular.MaxQuoted)
	f := rowschema.Say(events.Field{Column: name, Value: j.maker.kind.ShowValue(m.Name, textutil.Truncate(m.Text, tabular.MaxQuoted)), Code: jsonrows.CodeUnknownField},
		"json.unknown", "name", name)
	if near := rowschema.Nearest(name, names); near != "" {
		return rowschema.SayHint(f, "hint.near", "near", near)
	}
	return rowschema.SayHint(f, "hint.fields", "list", strings.Join(names, ", "))
}

// unread returns a failed draft for an unreadable row. Its params contain only the beginning of the row's
// text, of at most tabular.CutText bytes.
func (m *Maker) unread(number int, text []byte, err error) events.Draft {
	why := err.(*jsonrows.Malformed)
	shown := tabular.Showable(text[:min(len(text), tabular.CutText)], tabular.CutText)
	params := append(flatjson.AppendText([]byte{'{'}, ExtraName(0)), ':')
	params = append(flatjson.AppendText(params, shown), '}')
	return events.Draft{Row: number, Params: params, Failure: rowschema.Invalid([]events.Field{{
		Column: textutil.Truncate(why.Field, tabular.MaxQuoted), Value: m.kind.ShowValue(ExtraName(0), shown), Code: why.Code, Message: why.Detail, Args: why.Args,
	}})}
}
