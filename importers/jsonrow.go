package importers

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/flatjson"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Codes of rows that are JSON objects.
const (
	// CodeMalformedJSON means text that is not one well-formed JSON object.
	CodeMalformedJSON = "MALFORMED_JSON"
	// CodeNestedValue means an object or a list where a row has a value.
	CodeNestedValue = "NESTED_VALUE"
	// CodeDuplicateField means a field that a row gives twice.
	CodeDuplicateField = "DUPLICATE_FIELD"
	// CodeUnknownField means a name that is none of the kind's fields.
	CodeUnknownField = "UNKNOWN_FIELD"
	// CodeNumberOutOfRange means a number of more than 100 digits.
	CodeNumberOutOfRange = "NUMBER_OUT_OF_RANGE"
)

// maxDigits bounds a number, written out without an exponent.
const maxDigits = 100

// maxMembers bounds the values of a row, so that a row of nonsense costs no
// more than one of a file.
const maxMembers = 1000

// Malformed is a JSON row that cannot be read at all, as opposed to one whose
// values are wrong. It is an error.
type Malformed struct {
	Field  string // name of the value at fault, empty if the row as a whole
	Code   string
	Detail string      // in plain words
	Args   events.Args // what Detail was made from
}

func (m *Malformed) Error() string { return m.Code + ": " + m.Detail }

// malformed says it in a sentence of Rollcall's, with {name} for the field: key
// and pairs are those of worker.Say.
func malformed(field, code, key string, pairs ...string) *Malformed {
	n := notef(code, key, append(pairs, "name", textutil.Truncate(field, maxQuoted))...)
	return &Malformed{field, code, n.detail, n.args}
}

// member is one value of a JSON row: a number exactly as it was written.
type member struct {
	name, text string
	plain      bool // no text
}

// CheckJSONRow tells whether text is one JSON object whose values are texts,
// numbers, true, false or null, none of them twice. If not, the error is a
// *Malformed.
func CheckJSONRow(text []byte) error {
	_, err := members(text)
	return err
}

// members reads a JSON row.
func members(text []byte) ([]member, error) {
	if !utf8.Valid(text) {
		return nil, malformed("", CodeInvalidEncoding, "json.encoding")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, malformed("", CodeMalformedJSON, "json.object")
	}
	var out []member
	seen := map[string]bool{}
	for dec.More() {
		m, err := oneMember(dec)
		switch {
		case err != nil:
			return nil, err
		case seen[m.name]:
			return nil, malformed(m.name, CodeDuplicateField, "json.twice")
		case len(out) == maxMembers:
			return nil, malformed("", CodeMalformedJSON, "json.values", "n", strconv.Itoa(maxMembers))
		}
		seen[m.name] = true
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, notJSON(dec)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, malformed("", CodeMalformedJSON, "json.behind")
	}
	return out, nil
}

func notJSON(dec *json.Decoder) *Malformed {
	return malformed("", CodeMalformedJSON, "json.malformed", "n", strconv.FormatInt(dec.InputOffset()+1, 10))
}

func oneMember(dec *json.Decoder) (m member, err error) {
	key, err := dec.Token()
	if err != nil {
		return m, notJSON(dec)
	}
	m.name, _ = key.(string) // nothing else is a key
	value, err := dec.Token()
	if err != nil {
		return m, notJSON(dec)
	}
	switch v := value.(type) {
	case string:
		m.text = v
	case bool:
		m.text, m.plain = strconv.FormatBool(v), true
	case json.Number:
		m.plain = true
		m.text, err = exactNumber(m.name, v.String())
	case json.Delim:
		err = malformed(m.name, CodeNestedValue, "json.nested")
	}
	return m, err
}

// exactNumber writes a number without an exponent, to its last digit.
func exactNumber(name, text string) (string, error) {
	if len(text) > 2*maxDigits {
		return "", outOfRange(name)
	}
	if strings.ContainsAny(text, "eE") {
		d, err := decimal.NewFromString(text)
		if err != nil || d.Exponent() > maxDigits || d.Exponent() < -maxDigits {
			return "", outOfRange(name)
		}
		text = d.String()
	}
	if len(text)-strings.Count(text, "-")-strings.Count(text, ".") > maxDigits {
		return "", outOfRange(name)
	}
	return text, nil
}

func outOfRange(name string) error {
	return malformed(name, CodeNumberOutOfRange, "json.digits", "n", strconv.Itoa(maxDigits))
}

// JSONColumns are the columns of rows that are JSON objects: the fields of the
// kind, in its order.
func JSONColumns(kind worker.Kind) []tasks.Column {
	var out []tasks.Column
	for _, f := range kind.Schema.Fields {
		out = append(out, tasks.Column{Header: f.Name, Field: f.Name})
	}
	return out
}

// JSONRows turns JSON objects into rows of a kind. Names are matched with its
// fields as the headings of a file are. It is for one goroutine.
type JSONRows struct {
	maker *rowMaker
	cells rowBuilder
	known map[string]*worker.Field // by name as written
}

// NewJSONRows returns a reader of rows of a kind that has columns.
func NewJSONRows(kind worker.Kind, l Limits) *JSONRows {
	return &JSONRows{
		maker: newRowMaker(kind, JSONColumns(kind)), known: map[string]*worker.Field{},
		cells: rowBuilder{chars: l.withDefaults().CellChars},
	}
}

// By has rows ordered by the field of that name instead of the kind's key;
// empty changes nothing.
func (j *JSONRows) By(keyName string) *JSONRows {
	j.maker.by(keyName)
	return j
}

// Draft validates a row. One that is malformed, or has a fault, becomes a
// failed event that keeps what it could.
func (j *JSONRows) Draft(number int, text []byte) events.Draft {
	list, err := members(text)
	if err != nil {
		return j.maker.unread(number, text, err)
	}
	j.cells.reset()
	var faults []events.Field
	for _, m := range list {
		f := j.field(m.name)
		if f == nil {
			faults = append(faults, j.unknown(m))
			continue
		}
		col := j.maker.place[f.Name]
		if col < len(j.cells.spans) && j.cells.spans[col] != (span{}) {
			faults = append(faults, worker.Say(events.Field{
				Column: f.Name, Value: j.maker.kind.ShowValue(m.name, textutil.Truncate(m.text, maxQuoted)), Code: CodeDuplicateField,
			}, "json.again", "name", textutil.Truncate(m.name, maxQuoted)))
			continue
		}
		from := len(j.cells.text)
		j.cells.text = append(j.cells.text, m.text...)
		j.cells.putText(col, from)
		j.cells.spans[col].plain = m.plain
	}
	return j.maker.judge(j.cells.row(number, len(j.maker.columns)), faults)
}

// field finds the field that a name means; nil if none.
func (j *JSONRows) field(name string) *worker.Field {
	f, ok := j.known[name]
	if !ok {
		f = j.maker.kind.Schema.Match([]string{name}, nil).Fields[0]
		if len(j.known) < maxMembers {
			j.known[name] = f
		}
	}
	return f
}

func (j *JSONRows) unknown(m member) events.Field {
	var names []string
	for _, f := range j.maker.kind.Schema.Fields {
		names = append(names, f.Name)
	}
	name := textutil.Truncate(m.name, maxQuoted)
	f := worker.Say(events.Field{Column: name, Value: j.maker.kind.ShowValue(m.name, textutil.Truncate(m.text, maxQuoted)), Code: CodeUnknownField},
		"json.unknown", "name", name)
	if near := worker.Nearest(name, names); near != "" {
		return worker.SayHint(f, "hint.near", "near", near)
	}
	return worker.SayHint(f, "hint.fields", "list", strings.Join(names, ", "))
}

// unread is a row of which nothing could be read but its text.
func (m *rowMaker) unread(number int, text []byte, err error) events.Draft {
	why := err.(*Malformed)
	shown := showable(text[:min(len(text), cutCell)], cutCell)
	params := append(flatjson.AppendText([]byte{'{'}, extra(0)), ':')
	params = append(flatjson.AppendText(params, shown), '}')
	return events.Draft{Row: number, Params: params, Failure: worker.Invalid([]events.Field{{
		Column: textutil.Truncate(why.Field, maxQuoted), Value: m.kind.ShowValue(extra(0), shown), Code: why.Code, Message: why.Detail, Args: why.Args,
	}})}
}

// maxQuoted is how many bytes of a text a message shows.
const maxQuoted = 200
