package rowschema

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-playground/validator/v10"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
)

// rules is the validator of single values. It is safe for concurrent use. It compares decimals as
// floats, which is exact enough for bounds.
var rules = func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterCustomTypeFunc(func(f reflect.Value) any {
		return f.Interface().(decimal.Decimal).InexactFloat64()
	}, decimal.Decimal{})
	return v
}()

// mustValidate panics if the rules of the field are unknown or do not fit its type.
func (f *Field) mustValidate(t reflect.Type, sf reflect.StructField) {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("worker: %v.%s: validate %q: %v", t, sf.Name, f.rules, r))
		}
	}()
	if f.rules != "" {
		_ = rules.Var(reflect.Zero(base(sf.Type)).Interface(), f.rules) // only a panic counts
	}
}

func base(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// brokenRule returns the fault for the first rule that a value breaks; nil if the value breaks none.
func (f *Field) brokenRule(v reflect.Value, text string) *events.Field {
	if f.rules == "" || v.Kind() == reflect.Pointer && v.IsNil() || f.passesQuickRules(v) {
		return nil
	}
	var broken validator.ValidationErrors
	if !errors.As(rules.Var(v.Interface(), f.rules), &broken) {
		return nil
	}
	rule := broken[0]
	key, pairs := f.sentence(rule.Tag(), rule.Param())
	fault := f.fault(text, f.codeOf(rule.Tag()), key, pairs...)
	return &fault
}

// codeOf returns the code of a broken rule.
func (f *Field) codeOf(rule string) string {
	switch {
	case f.Type == "text" && (rule == "max" || rule == "lte" || rule == "len"):
		return CodeTooLong
	case f.code != "":
		return f.code
	case f.Type == "number" || f.Type == "integer":
		return CodeInvalidNumber
	case f.Type == "date":
		return CodeInvalidDate
	}
	return CodeInvalidValue
}

// sentence returns the text key and the values of the sentence that describes a rule.
func (f *Field) sentence(tag, param string) (key string, pairs []string) {
	if f.Type == "text" {
		if key, ok := ofText[tag]; ok {
			return key, []string{"n", param}
		}
	}
	switch tag {
	case "min":
		tag = "gte"
	case "max":
		tag = "lte"
	}
	switch tag {
	case "gt", "gte", "lt", "lte":
		switch {
		case f.Type == "date":
			return tag + ".now", nil
		case param == "0":
			return tag + ".zero", nil
		}
		return tag, []string{"bound", param}
	case "len":
		return tag, []string{"bound", param}
	case "oneof", "oneofci":
		return "oneof", []string{"list", strings.Join(choices(param), ", ")}
	}
	if key, ok := ofForm[tag]; ok {
		return key, nil
	}
	return "rule", []string{"rule", tag, "bound", param}
}

// ofText maps rules that count characters to the keys of their sentences.
var ofText = map[string]string{
	"min": "text.min", "gte": "text.min", "max": "text.max", "lte": "text.max", "len": "text.len",
}

// ofForm maps rules of formats to the keys of their sentences.
var ofForm = map[string]string{
	"email": "email", "url": "url", "http_url": "url", "uri": "url", "e164": "e164",
	"numeric": "numeric", "number": "digits", "alpha": "alpha", "alphanum": "alphanum",
	"uuid": "uuid", "uuid4": "uuid", "uuid_rfc4122": "uuid", "uuid4_rfc4122": "uuid",
}

var choice = regexp.MustCompile(`'[^']*'|\S+`)

// choices returns the values of the rule `oneof`. In the tag, a value with blanks is quoted.
func choices(param string) []string {
	out := choice.FindAllString(param, -1)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "'", "")
	}
	return out
}
