package rowschema

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// Requirements returns the rules of a column as sentences in a language: whether a value is required, and
// which formats and values are allowed.
func (f *Field) Requirements(lang string) []string {
	need := "ask.optional"
	if f.Required {
		need = "ask.required"
	}
	out := []string{say(lang, need)}
	if f.Type == "date" {
		out = append(out, say(lang, "ask.date", "formats", strings.Join(f.DatePatterns(), ", ")))
	}
	if f.cell.number != nil && f.cell.like != "" {
		out = append(out, say(lang, "ask.like", "example", f.cell.like))
	}
	for _, r := range f.Rules {
		key, pairs := f.sentence(r.Name, r.Param)
		if own, ok := asked[key]; ok {
			key = own
		}
		out = append(out, say(lang, key, append(pairs, "column", f.Name)...))
	}
	return out
}

// asked maps the key of the sentence for a fault to the key of the sentence for its rule, if the two
// differ.
var asked = map[string]string{"text.max": "ask.text.max", "rule": "ask.rule"}

// TypeName returns the name of the column's type in a language.
func (f *Field) TypeName(lang string) string { return say(lang, "type."+f.Type) }

// Choices returns the allowed values, as users write them in a language; nil if any value is
// allowed.
func (f *Field) Choices(lang string) []string {
	if f.Type == "boolean" {
		return []string{say(lang, "yes"), say(lang, "no")}
	}
	return f.Enum
}

func say(lang, key string, pairs ...string) string {
	values := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	text, _ := words.Say(lang, key, values) // a test checks every key for its values
	return text
}
