package jsonrows

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// These are the codes of faults in rows that are JSON objects.
const (
	// CodeMalformedJSON means that the text of a row is not one well-formed JSON object, or that the
	// object has more than MaxValues values.
	CodeMalformedJSON = "MALFORMED_JSON"
	// CodeNestedValue means that a value of a row is an object or a list.
	CodeNestedValue = "NESTED_VALUE"
	// CodeDuplicateField means that a field occurs twice in one row.
	CodeDuplicateField = "DUPLICATE_FIELD"
	// CodeUnknownField means that a name in the row is not a field of the kind.
	CodeUnknownField = "UNKNOWN_FIELD"
	// CodeNumberOutOfRange means that a number has more than 100 digits.
	CodeNumberOutOfRange = "NUMBER_OUT_OF_RANGE"
)

// MaxDigits is the maximum number of digits of a number, counted after an exponent is written out.
const MaxDigits = 100

// MaxValues is the maximum number of values of a row. It bounds the cost of an invalid row.
const MaxValues = 1000

// Malformed is the error for a row that cannot be parsed.
type Malformed struct {
	Field  string // name of the value at fault; empty for the row as a whole
	Code   string
	Detail string      // in plain words
	Args   events.Args // values of Detail
}

// Error returns the code and the detail.
func (m *Malformed) Error() string { return m.Code + ": " + m.Detail }

// NewMalformed returns the error for a malformed row. The arguments `key` and `pairs` are the key of the
// message and the values of its placeholders, as in rowschema.Say. The placeholder {name} stands for the
// field.
func NewMalformed(field, code, key string, pairs ...string) *Malformed {
	f := rowschema.Say(events.Field{}, key, append(pairs, "name", textutil.Truncate(field, tabular.MaxQuoted))...)
	return &Malformed{field, code, f.Message, f.Args}
}

// Member is one name and value of a JSON row. A number has all its digits and no exponent.
type Member struct {
	Name, Text string
	Plain      bool // the value is not a text
}

// Check returns the error that Parse returns for a row.
func Check(text []byte) error {
	_, err := Parse(text)
	return err
}

// Parse parses a JSON row: an object with unique names, whose values are texts, numbers, true, false or
// null. It returns a *Malformed for a text that is not such a row, for more than MaxValues values, and
// for a number of more than MaxDigits digits.
func Parse(text []byte) ([]Member, error) {
	if !utf8.Valid(text) {
		return nil, NewMalformed("", tabular.CodeInvalidEncoding, "json.encoding")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, NewMalformed("", CodeMalformedJSON, "json.object")
	}
	var out []Member
	seen := map[string]bool{}
	for dec.More() {
		m, err := oneMember(dec)
		switch {
		case err != nil:
			return nil, err
		case seen[m.Name]:
			return nil, NewMalformed(m.Name, CodeDuplicateField, "json.twice")
		case len(out) == MaxValues:
			return nil, NewMalformed("", CodeMalformedJSON, "json.values", "n", strconv.Itoa(MaxValues))
		}
		seen[m.Name] = true
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, notJSON(dec)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, NewMalformed("", CodeMalformedJSON, "json.behind")
	}
	return out, nil
}

func notJSON(dec *json.Decoder) *Malformed {
	return NewMalformed("", CodeMalformedJSON, "json.malformed", "n", strconv.FormatInt(dec.InputOffset()+1, 10))
}

func oneMember(dec *json.Decoder) (m Member, err error) {
	key, err := dec.Token()
	if err != nil {
		return m, notJSON(dec)
	}
	m.Name, _ = key.(string) // keys are always texts
	value, err := dec.Token()
	if err != nil {
		return m, notJSON(dec)
	}
	switch v := value.(type) {
	case string:
		m.Text = v
	case bool:
		m.Text, m.Plain = strconv.FormatBool(v), true
	case json.Number:
		m.Plain = true
		m.Text, err = exactNumber(m.Name, v.String())
	case json.Delim:
		err = NewMalformed(m.Name, CodeNestedValue, "json.nested")
	}
	return m, err
}

// exactNumber formats a number without an exponent and with all its digits. For a number of more than
// MaxDigits digits it returns a *Malformed.
func exactNumber(name, text string) (string, error) {
	if len(text) > 2*MaxDigits {
		return "", outOfRange(name)
	}
	if strings.ContainsAny(text, "eE") {
		d, err := decimal.NewFromString(text)
		if err == nil && d.IsZero() {
			return "0", nil
		}
		if err != nil || d.Exponent() > MaxDigits || d.Exponent() < -3*MaxDigits { // String drops up to 2*MaxDigits zeros
			return "", outOfRange(name)
		}
		text = d.String()
	}
	if len(text)-strings.Count(text, "-")-strings.Count(text, ".") > MaxDigits {
		return "", outOfRange(name)
	}
	return text, nil
}

func outOfRange(name string) error {
	return NewMalformed(name, CodeNumberOutOfRange, "json.digits", "n", strconv.Itoa(MaxDigits))
}
