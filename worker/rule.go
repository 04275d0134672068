package worker

import "strings"

// escaped are the signs that the tag validate has a meaning for.
var escaped = strings.NewReplacer("0x2C", ",", "0x7C", "|")

// Rule is one rule of the tag validate: "max" and "64" of max=64.
type Rule struct {
	Name  string
	Param string // empty if the rule has none
}

// rulesOf are the rules of a tag that stand alone; alternatives, a|b, are left
// to the validator.
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

// enumOf are the values that the rules leave to choose from; nil if any.
func enumOf(rules []Rule) []string {
	for _, r := range rules {
		if r.Name == "oneof" || r.Name == "oneofci" {
			return choices(r.Param)
		}
	}
	return nil
}

// Rule finds a rule of the field by one of its names.
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
