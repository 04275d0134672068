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

// Say gives a fault the words of Rollcall's own catalogue, such that it can be
// told in other languages later. key is a sentence of package internal/words;
// pairs are names and values of its placeholders besides {column} and {value}.
// It panics on a key that is not there or lacks a value.
func Say(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Message = saying(f, events.Sentence, key, pairs)
	return f
}

// saying keeps the values of a sentence, and says it in English.
func saying(f events.Field, name, key string, pairs []string) (events.Args, string) {
	values := map[string]string{name: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	args := f.Args.With(values)
	values["column"], values["value"] = f.Column, f.Value
	return args, words.English(key, values)
}

// SayHint is Say for the hint.
func SayHint(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Hint = saying(f, events.HintSentence, key, pairs)
	return f
}

// SystemFailure is the failure of a row for which nobody outside can do
// anything, in the words of key; hint may be empty.
func SystemFailure(code, key, hint string) *events.Failure {
	f := Say(events.Field{Code: code}, key)
	if hint != "" {
		f = SayHint(f, hint)
	}
	return &events.Failure{Code: code, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// SupersededFailure is the failure of a row that does not run, for a newer row of its
// key has finished: row is its number, in the same task or a later one.
func SupersededFailure(key string, row int, sameTask bool) *events.Failure {
	text := "row.overtaken.later"
	if sameTask {
		text = "row.overtaken"
	}
	f := SayHint(Say(events.Field{Value: key, Code: events.CodeSuperseded}, text, "n", strconv.Itoa(row)), "hint.overtaken")
	return &events.Failure{Code: f.Code, Value: f.Value, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// placed are the values for the placeholders of a fault's words.
func placed(f events.Field) map[string]string {
	values := f.Args.Map()
	values["column"], values["value"] = f.Column, f.Value
	return values
}

// Tell says a fault in a language: in the words of the kind or else Rollcall's
// own; as it was stored if there are none, or if it was stored without what
// they need. The zero Kind tells Rollcall's own.
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

// columnHint is the hint that the struct gives to a column.
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

// Title is a code in a few words of a language, for a heading: those of the kind
// or Rollcall's own. False if there are none.
func (k Kind) Title(lang, code string) (string, bool) {
	if text, ok := k.text(lang, code+".title", nil); ok {
		return text, true
	}
	return words.Say(lang, "title."+code, nil)
}

// HintOf is the hint of a column in a language, or as the struct gives it.
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

// own is a sentence of Rollcall's. In English it was stored.
func own(lang, key string, values map[string]string) (string, bool) {
	if lang == words.Default || key == "" {
		return "", false
	}
	return words.Say(lang, key, values)
}

// TellEvent says the failure of a row in a language: message, hint and fields
// of e are replaced. A row without one stays as it is.
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

// Languages are those that the kind has texts in, besides Rollcall's own.
func (k Kind) Languages() []string { return slices.Sorted(maps.Keys(k.Texts)) }

// mustSpeak panics on a language that there is not.
func (k *Kind) mustSpeak() {
	for lang := range k.Texts {
		if _, err := language.Parse(lang); err != nil {
			panic(fmt.Sprintf("worker: %s: messages in %q: %v", k.Name, lang, err))
		}
	}
}
