package worker

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// Asks are the rules of a column in sentences of a language: whether it must be
// filled in, how it is written, what it may hold.
func (f *Field) Asks(lang string) []string {
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

// asked are the sentences of rules whose sentence of a fault says the opposite.
var asked = map[string]string{"text.max": "ask.text.max", "rule": "ask.rule"}

// TypeName is what the type of a column is called in a language.
func (f *Field) TypeName(lang string) string { return say(lang, "type."+f.Type) }

// Choices are the values to choose from, as a person of a language writes them;
// nil if there are none.
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
	text, _ := words.Say(lang, key, values) // a test holds every key to its values
	return text
}
