package jobs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/text/language"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Localize translates a fault into a language, with the texts of the kind, or else with the texts of
// Rollcall. It keeps the stored text if neither has a translation, or if the fault lacks the value of a
// placeholder. The zero Kind has only Rollcall's texts.
func (k Kind) Localize(lang string, f events.Field) events.Field {
	values := rowschema.Placed(f)
	heading, renamed := k.headings[f.Column]
	if renamed {
		values["column"] = heading
	}
	if text, ok := k.text(lang, f.Code, values); ok {
		f.Message = text
	} else if text, ok := rowschema.Translated(lang, values[events.Sentence], values); ok {
		f.Message = text
	} else if text, ok := words.Say(lang, values[events.Sentence], values); ok && renamed {
		f.Message = text
	}
	f.Hint = k.hint(lang, f, values)
	return f
}

// WithHeadings returns a copy of the kind whose messages name columns by their headings in a file. The argument
// `headings` holds the headings by the columns of the kind.
func (k Kind) WithHeadings(headings map[string]string) Kind {
	k.headings = headings
	return k
}

// Heading returns the heading of a column in the file, as WithHeadings has set it. For a column without a
// heading, it returns the name of the column.
func (k Kind) Heading(column string) string { return cmp.Or(k.headings[column], column) }

func (k Kind) hint(lang string, f events.Field, values map[string]string) string {
	if text, ok := k.text(lang, f.Code+".hint", values); ok {
		return text
	}
	if text, ok := rowschema.Translated(lang, values[events.HintSentence], values); ok {
		return text
	}
	if f.Hint != "" && f.Hint == k.columnHint(f.Column) {
		if text, ok := k.text(lang, f.Column+".hint", values); ok {
			return text
		}
	}
	return f.Hint
}

// columnHint returns the hint in the struct tag of a column.
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

// CodeTitle returns the short name of a code in a language, from the kind or from Rollcall. It
// returns false if neither has a name for the code.
func (k Kind) CodeTitle(lang, code string) (string, bool) {
	if text, ok := k.text(lang, code+".title", nil); ok {
		return text, true
	}
	return words.Say(lang, "title."+code, nil)
}

// HintOf returns the hint of a column in a language, or else the hint in its struct tag.
func (k Kind) HintOf(lang string, f *rowschema.Field) string {
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

// LocalizeEvent translates the failure of a row into a language: it replaces message, hint and
// fields of `e`. A row without a failure stays unchanged.
func (k Kind) LocalizeEvent(lang string, e *events.Event) {
	if len(k.Texts[lang]) == 0 && lang == words.Default && len(k.headings) == 0 {
		return
	}
	faults := e.Faults()
	if len(faults) == 0 {
		return
	}
	for i, f := range faults {
		faults[i] = k.Localize(lang, f)
	}
	e.SetFaults(faults)
}

// Languages returns the languages of the kind's own texts.
func (k Kind) Languages() []string { return slices.Sorted(maps.Keys(k.Texts)) }

// MustSpeak panics if the kind has texts under an invalid language tag.
func (k *Kind) MustSpeak() {
	for lang := range k.Texts {
		if _, err := language.Parse(lang); err != nil {
			panic(fmt.Sprintf("worker: %s: messages in %q: %v", k.Name, lang, err))
		}
	}
}
