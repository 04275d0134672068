package rowschema

import "strings"

// escaped restores the characters that are escaped in the struct tag `validate`.
var escaped = strings.NewReplacer("0x2C", ",", "0x7C", "|")

// Rule is one rule of the struct tag `validate`: "max" and "64" of max=64.
type Rule struct {
	Name  string
	Param string // empty if the rule has none
}

// rulesOf returns the rules of a tag. It leaves out alternatives, such as a|b, which only the
// validator checks.
func rulesOf(tag string) []Rule {
	var out []Rule
	for r := range strings.SplitSeq(tag, ",") {
		name, param, _ := strings.Cut(r, "=")
		if name != "" && !strings.Contains(name, "|") {
			out = append(out, Rule{name, escaped.Replace(param)})
		}
	}
	return out
}

// enumOf returns the values that the rules allow; nil if they do not list the values.
func enumOf(rules []Rule) []string {
	for _, r := range rules {
		if r.Name == "oneof" || r.Name == "oneofci" {
			return choices(r.Param)
		}
	}
	return nil
}

// Rule returns the parameter of the field's first rule that has one of the names.
func (f *Field) Rule(names ...string) (param string, ok bool) {
	for _, r := range f.Rules {
		for _, n := range names {
			if r.Name == n {
				return r.Param, true
			}
		}
	}
	return "", false
}
