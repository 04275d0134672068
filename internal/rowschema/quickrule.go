package rowschema

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// quickRule is a function that reports whether a value obeys a rule. If it returns false, the validator
// runs. The validator is slower, and returns the broken rule.
type quickRule func(reflect.Value) bool

// quickRules returns a quickRule for each rule in the tag of a field; nil if one of the rules has none.
func quickRules(t reflect.Type, tag string, list []Rule) []quickRule {
	if len(list) == 0 || len(list) != strings.Count(tag, ",")+1 {
		return nil
	}
	var out []quickRule
	for _, r := range list {
		rule := quickRuleOf(t, r)
		if rule == nil {
			return nil
		}
		out = append(out, rule)
	}
	return out
}

// quickRuleOf returns the quick rule for a rule with a bound, such as min=1; nil if there is none.
func quickRuleOf(t reflect.Type, r Rule) quickRule {
	within := bounds[r.Name]
	bound, err := strconv.ParseInt(r.Param, 0, 64)
	if within == nil || err != nil {
		return nil
	}
	switch {
	case t.Kind() == reflect.String:
		return func(v reflect.Value) bool {
			return within(cmp.Compare(int64(utf8.RuneCountInString(v.String())), bound))
		}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return func(v reflect.Value) bool { return within(cmp.Compare(v.Int(), bound)) }
	case t == reflect.TypeFor[decimal.Decimal]() && bound == 0:
		return func(v reflect.Value) bool { return within(v.Addr().Interface().(*decimal.Decimal).Sign()) }
	}
	return nil
}

// bounds maps each rule that compares with a number to a check of the comparison's result.
var bounds = map[string]func(int) bool{
	"gt": func(c int) bool { return c > 0 }, "gte": func(c int) bool { return c >= 0 }, "min": func(c int) bool { return c >= 0 },
	"lt": func(c int) bool { return c < 0 }, "lte": func(c int) bool { return c <= 0 }, "max": func(c int) bool { return c <= 0 },
}

// passesQuickRules reports whether the quick rules alone show that a value obeys all rules of the
// field. It returns false for a field without quick rules.
func (f *Field) passesQuickRules(v reflect.Value) bool {
	if v = reflect.Indirect(v); f.quick == nil || !v.CanAddr() {
		return false
	}
	for _, rule := range f.quick {
		if !rule(v) {
			return false
		}
	}
	return true
}
