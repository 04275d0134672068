package rowschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Schema holds the columns of the rows of a kind. It is read from the tags of the kind's struct.
type Schema struct {
	Fields []Field

	places map[string]int // name of each field: its index in Fields
}

// Field is one column of a schema.
type Field struct {
	Name     string   // the heading, also the name in params
	Aliases  []string // other headings
	Type     string   // text, number, integer, date or boolean
	Key      bool     // is the ordering key
	Version  bool     // decides which row of a key is the newest
	Required bool     // blanks are refused
	Example  string
	Hint     string
	Title    string // name for users; empty means Name
	None     string // text for an empty value; "" for none
	Locale   string // locale of its numbers; empty means a point before the decimals

	Sensitive bool     // values are shown masked
	Rules     []Rule   // of the tag `validate`, without `required`
	Enum      []string // the allowed values; nil means any
	Known     []string // usual values; rows may have others
	Formats   []string // layouts of a date; nil: 2006-01-02
	Units     []string // allowed with a number

	rules string      // for the validator, without `required`
	code  string      // code of a broken rule
	quick []quickRule // faster forms of the rules; nil unless each rule has one
	index []int       // index in the struct
	at    int         // index in the schema
	cell  cell        // parser of its texts
	typ   reflect.Type
}

// Of returns the schema that the tags of the struct T describe. It returns nil if T is not a struct, or
// if no field has a row tag. It panics on an invalid tag.
func Of[T any]() *Schema {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil
	}
	var s Schema
	for _, sf := range reflect.VisibleFields(t) {
		if sf.Tag.Get("row") != "" {
			s.Fields = append(s.Fields, newField(t, sf))
		}
	}
	if len(s.Fields) == 0 {
		return nil
	}
	s.mustBeClear(t)
	s.numberFields()
	return &s
}

func newField(t reflect.Type, sf reflect.StructField) Field {
	mustReach(t, sf)
	f := Field{
		Name: sf.Tag.Get("row"), Key: sf.Tag.Get("key") == "true", Version: sf.Tag.Get("version") == "true", index: sf.Index,
		Example: sf.Tag.Get("example"), Hint: sf.Tag.Get("hint"), Title: sf.Tag.Get("title"), None: sf.Tag.Get("none"), code: sf.Tag.Get("code"),
		Locale: sf.Tag.Get("locale"), Sensitive: sf.Tag.Get("sensitive") == "true",
		Formats: list(sf, "format"), Units: list(sf, "unit"),
	}
	if alias := sf.Tag.Get("alias"); alias != "" {
		f.Aliases = strings.Split(alias, ",")
	}
	c, ok := cellFor(sf)
	if !ok {
		panic(fmt.Sprintf("worker: %v.%s: the type %v is not supported for a column", t, sf.Name, sf.Type))
	}
	c.mustFit(t, sf)
	f.cell, f.Type, f.typ = c, c.name, sf.Type
	var rules []string
	for _, r := range strings.Split(sf.Tag.Get("validate"), ",") {
		switch r {
		case "required":
			f.Required = true
		case "", "omitempty":
		default:
			rules = append(rules, r)
		}
	}
	f.rules = strings.Join(rules, ",")
	f.Rules = rulesOf(f.rules)
	f.quick = quickRules(base(sf.Type), f.rules, f.Rules)
	f.Enum = enumOf(f.Rules)
	f.mustValidate(t, sf)
	f.mustBeVersion(t)
	return f
}

// list returns the values of a tag with several values.
func list(sf reflect.StructField, tag string) []string {
	if text := sf.Tag.Get(tag); text != "" {
		return strings.Split(text, "|")
	}
	return nil
}

// mustReach panics on a field that cannot be set: an unexported field, or a field of an embedded
// pointer.
func mustReach(t reflect.Type, sf reflect.StructField) {
	if !sf.IsExported() {
		panic(fmt.Sprintf("worker: %v.%s has a row tag but is not exported", t, sf.Name))
	}
	for i := range len(sf.Index) - 1 {
		if outer := t.FieldByIndex(sf.Index[:i+1]); outer.Type.Kind() == reflect.Pointer {
			panic(fmt.Sprintf("worker: %v.%s is a field of the embedded pointer %s: embed the struct instead", t, sf.Name, outer.Name))
		}
	}
}

// mustBeClear panics on two columns with the same heading, two key columns, two version columns, or a
// sensitive key column.
func (s *Schema) mustBeClear(t reflect.Type) {
	seen, keys, versions := map[string]string{}, 0, 0
	for _, f := range s.Fields {
		if f.Version {
			versions++
		}
		if f.Key {
			keys++
		}
		if f.Key && f.Sensitive {
			panic(fmt.Sprintf("worker: %v: the key %s cannot be sensitive, because pages and logs show keys", t, f.Name))
		}
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			n := normalize(name)
			if other, ok := seen[n]; ok && other != f.Name {
				panic(fmt.Sprintf("worker: %v: two columns have the name or alias %q", t, name))
			}
			seen[n] = f.Name
		}
	}
	if versions > 1 {
		panic(fmt.Sprintf("worker: %v has %d versions, want at most one", t, versions))
	}
	if keys > 1 {
		panic(fmt.Sprintf("worker: %v has %d keys, want at most one", t, keys))
	}
}

// Parse fills the struct that args points to from cells, and returns all faults.
func (s *Schema) Parse(args any, cells func(*Field) string) []events.Field {
	v := reflect.ValueOf(args).Elem()
	var faults []events.Field
	for i := range s.Fields {
		f := &s.Fields[i]
		if fault := f.parse(v.FieldByIndex(f.index), cells(f)); fault != nil {
			faults = append(faults, *fault)
		}
	}
	return faults
}

// Check validates arguments that were not parsed from cells.
func (s *Schema) Check(args any) []events.Field {
	v := reflect.ValueOf(args).Elem()
	var faults []events.Field
	for i := range s.Fields {
		f := &s.Fields[i]
		field := v.FieldByIndex(f.index)
		if f.Required && field.IsZero() && f.Type != "number" && f.Type != "integer" {
			faults = append(faults, f.fault("", CodeRequired, "required"))
		} else if fault := cmp.Or(f.masked(fmt.Sprint(reflect.Indirect(field))), f.brokenRule(field, fmt.Sprint(field.Interface()))); fault != nil {
			faults = append(faults, *fault)
		}
	}
	return faults
}

// ParseParams fills the struct that args points to from params, and returns all faults. Its error
// means that the params are not an object of strings.
func (s *Schema) ParseParams(args any, params json.RawMessage) ([]events.Field, error) {
	cells, err := s.texts(params)
	if err != nil {
		return nil, err
	}
	return s.Parse(args, func(f *Field) string { return cells[f.at] }), nil
}

// KeyIn returns the ordering key of parsed arguments; "" without a key column. The function `cells`
// returns the texts from which the arguments were parsed.
func (s *Schema) KeyIn(args any, cells func(*Field) string) (key string) {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Key {
			key = f.key(f.Value(reflect.ValueOf(args).Elem()), cells(f))
		}
	}
	return key
}

// Value returns the value of the field in `row`, a struct.
func (f *Field) Value(row reflect.Value) reflect.Value { return row.FieldByIndex(f.index) }

// parse sets one field from a cell. It returns the fault of the cell, or nil.
func (f *Field) parse(v reflect.Value, text string) *events.Field {
	text = strings.TrimSpace(text)
	if text == "" {
		return f.blank()
	}
	if fault := f.masked(text); fault != nil {
		return fault
	}
	if no := f.cell.set(v, text); no != nil {
		fault := f.fault(text, cmp.Or(no.code, f.cell.code), no.key, no.pairs...)
		return &fault
	}
	return f.brokenRule(v, text)
}

// key returns the ordering key of a cell from its value and its text. In a column of texts, the key is the
// text without blanks around it. The same applies to a text that is not a value of the column. In other
// columns, texts with the same value have the same key, such as the numbers "7" and "07".
func (f *Field) key(v reflect.Value, text string) string {
	text = strings.TrimSpace(text)
	if f.Type == "text" || text == "" || v.IsZero() && !f.Reads(text) {
		return text
	}
	v = reflect.Indirect(v)
	if v.CanFloat() && v.Float() == 0 { // -0 is 0
		return "0"
	}
	return fmt.Sprint(v.Interface())
}

// KeyOf returns the ordering key of a row with this text in the column, as if the column were the key
// column.
func (f *Field) KeyOf(text string) string {
	v := reflect.New(f.typ).Elem()
	_ = f.parse(v, text) // Check reports a fault of the row; the key then is the text
	return f.key(v, text)
}

// masked returns a fault if the column is sensitive and the text looks like a result of Mask.
func (f *Field) masked(text string) *events.Field {
	if !f.Sensitive || !Masked(text) {
		return nil
	}
	fault := f.fault(text, CodeInvalidValue, "masked")
	return &fault
}

func (f *Field) blank() *events.Field {
	if !f.Required {
		return nil
	}
	fault := f.fault("", CodeRequired, "required")
	return &fault
}

// maxQuoted is how many bytes of a cell a message contains at most.
const maxQuoted = 200

// fault returns a fault of a value. The arguments `key` and `pairs` name the sentence and its values, as in
// Say.
func (f *Field) fault(value, code, key string, pairs ...string) events.Field {
	return Say(events.Field{Column: f.Name, Value: f.Show(textutil.Truncate(value, maxQuoted)), Code: code, Hint: f.Hint}, key, pairs...)
}
