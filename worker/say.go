package worker

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/text/language"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Say sets the message of a fault from Rollcall's catalogue, so that it can be translated later.
// key is a sentence of package internal/words; pairs are names and values of its placeholders
// besides {column} and {value}. It panics on an unknown key or a missing value.
func Say(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Message = saying(f, events.Sentence, key, pairs)
	return f
}

// saying returns the values of a sentence, and its English text.
func saying(f events.Field, name, key string, pairs []string) (events.Args, string) {
	values := map[string]string{name: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	args := f.Args.With(values)
	values["column"], values["value"] = f.Column, f.Value
	return args, words.English(key, values)
}

// SayHint sets the hint of a fault, as Say sets its message.
func SayHint(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Hint = saying(f, events.HintSentence, key, pairs)
	return f
}

// SystemFailure returns the failure of a row that the user cannot fix, with the text of key; hint
// may be empty.
func SystemFailure(code, key, hint string) *events.Failure {
	f := Say(events.Field{Code: code}, key)
	if hint != "" {
		f = SayHint(f, hint)
	}
	return &events.Failure{Code: code, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// SupersededFailure returns the failure of a row that does not run because a newer row of its key
// has finished. row is the number of the newer row, in the same task or a later one.
func SupersededFailure(key string, row int, sameTask bool) *events.Failure {
	text := "row.overtaken.later"
	if sameTask {
		text = "row.overtaken"
	}
	f := SayHint(Say(events.Field{Value: key, Code: events.CodeSuperseded}, text, "n", strconv.Itoa(row)), "hint.overtaken")
	return &events.Failure{Code: f.Code, Value: f.Value, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// placed returns the values for the placeholders of a fault's texts.
func placed(f events.Field) map[string]string {
	values := f.Args.Map()
	values["column"], values["value"] = f.Column, f.Value
	return values
}

// Tell translates a fault into a language, with the texts of the kind, else with Rollcall's. It
// keeps the stored text if there is no translation or a value is missing. The zero Kind has only
// Rollcall's texts.
func (k Kind) Tell(lang string, f events.Field) events.Field {
	values := placed(f)
	if text, ok := k.text(lang, f.Code, values); ok {
		f.Message = text
	} else if text, ok := own(lang, values[events.Sentence], values); ok {
		f.Message = text
	}
	f.Hint = k.hint(lang, f, values)
	return f
}

func (k Kind) hint(lang string, f events.Field, values map[string]string) string {
	if text, ok := k.text(lang, f.Code+".hint", values); ok {
		return text
	}
	if text, ok := own(lang, values[events.HintSentence], values); ok {
		return text
	}
	if f.Hint != "" && f.Hint == k.columnHint(f.Column) {
		if text, ok := k.text(lang, f.Column+".hint", values); ok {
			return text
		}
	}
	return f.Hint
}

// columnHint returns the hint that the struct gives to a column.
func (k Kind) columnHint(column string) string {
	if k.Schema == nil {
		return ""
	}
	for i := range k.Schema.Fields {
		if f := &k.Schema.Fields[i]; f.Name == column {
			return f.Hint
		}
	}
	return ""
}

// Title returns the short name of a code in a language, from the kind or from Rollcall. It reports
// whether there is one.
func (k Kind) Title(lang, code string) (string, bool) {
	if text, ok := k.text(lang, code+".title", nil); ok {
		return text, true
	}
	return words.Say(lang, "title."+code, nil)
}

// HintOf returns the hint of a column in a language, or the hint of the struct.
func (k Kind) HintOf(lang string, f *Field) string {
	if text, ok := k.text(lang, f.Name+".hint", nil); ok {
		return text
	}
	return f.Hint
}

func (k Kind) text(lang, key string, values map[string]string) (string, bool) {
	text, ok := k.Texts[lang][key]
	if !ok {
		return "", false
	}
	return words.Fill(lang, text, values)
}

// own returns a sentence of Rollcall's catalogue. The English text is stored with the fault.
func own(lang, key string, values map[string]string) (string, bool) {
	if lang == words.Default || key == "" {
		return "", false
	}
	return words.Say(lang, key, values)
}

// TellEvent translates the failure of a row into a language: it replaces message, hint and fields
// of e. A row without a failure stays unchanged.
func (k Kind) TellEvent(lang string, e *events.Event) {
	if len(k.Texts[lang]) == 0 && lang == words.Default {
		return
	}
	faults := e.Faults()
	if len(faults) == 0 {
		return
	}
	for i, f := range faults {
		faults[i] = k.Tell(lang, f)
	}
	e.SetFaults(faults)
}

// Languages returns the languages of the kind's own texts.
func (k Kind) Languages() []string { return slices.Sorted(maps.Keys(k.Texts)) }

// mustSpeak panics on an invalid language.
func (k *Kind) mustSpeak() {
	for lang := range k.Texts {
		if _, err := language.Parse(lang); err != nil {
			panic(fmt.Sprintf("worker: %s: messages in %q: %v", k.Name, lang, err))
		}
	}
}
