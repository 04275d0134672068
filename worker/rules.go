package worker

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
)

// rules validates single values. It is built once and is safe for concurrent
// use; decimals are compared as floats, which is exact enough for bounds.
var rules = func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterCustomTypeFunc(func(f reflect.Value) any {
		return f.Interface().(decimal.Decimal).InexactFloat64()
	}, decimal.Decimal{})
	return v
}()

// mustValidate panics if the rules of the field are unknown, or do not fit its
// type.
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

// obey tells the first rule that a value breaks.
func (f *Field) obey(v reflect.Value, text string) *events.Field {
	if f.rules == "" || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	var broken validator.ValidationErrors
	if !errors.As(rules.Var(v.Interface(), f.rules), &broken) {
		return nil
	}
	rule := broken[0]
	fault := f.fault(text, f.codeOf(rule.Tag()), f.Name+" "+complaint(rule, f.Type))
	return &fault
}

// codeOf is the code of a broken rule.
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

// complaint says in plain words what a rule asks for.
func complaint(rule validator.FieldError, kind string) string {
	text := kind == "text"
	switch rule.Tag() {
	case "gt":
		return "must be above " + bound(rule)
	case "gte", "min":
		if text {
			return fmt.Sprintf("must have at least %s characters", rule.Param())
		}
		return "must be " + bound(rule) + " or more"
	case "lt":
		return "must be below " + bound(rule)
	case "lte", "max":
		if text {
			return fmt.Sprintf("is longer than %s characters", rule.Param())
		}
		return "must be " + bound(rule) + " or less"
	case "oneof":
		return "must be one of: " + rule.Param()
	case "email":
		return "must be an e-mail address"
	case "url":
		return "must be a web address"
	}
	return fmt.Sprintf("breaks the rule %s %s", rule.Tag(), rule.Param())
}

func bound(rule validator.FieldError) string {
	switch {
	case rule.Type() == reflect.TypeFor[time.Time]():
		return "the date allowed"
	case rule.Param() == "0":
		return "zero"
	}
	return rule.Param()
}
