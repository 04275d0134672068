package jobs

import (
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// TitleText is the key in Kind.Texts of the kind's name for users, and HelpText is the key of the
// sentence that the option Help sets. The text key of a column's title is the name of the column, a dot
// and TitleText, such as brand.title. noneText is the end of the text key for an empty value of a
// column, such as brand.none.
const (
	TitleText = "title"
	HelpText  = "help"
	noneText  = ".none"
)

// DisplayName returns the name of the kind for users, in a language or else in the default
// language. Without such a text it returns the kind's Name.
func (k Kind) DisplayName(lang string) string {
	for _, l := range []string{lang, words.Default} {
		if text, ok := k.text(l, TitleText, nil); ok {
			return text
		}
	}
	return k.Name
}

// Title returns the name of a kind for users in a language. For a kind that is not registered it returns
// `name`.
func (r *Registry) Title(lang, name string) string {
	if k, ok := r.Kind(name); ok {
		return k.DisplayName(lang)
	}
	return name
}

// HelpIn returns the sentence of the option Help in a language, or else in the default language. It
// is empty if the kind has none.
func (k Kind) HelpIn(lang string) string {
	for _, l := range []string{lang, words.Default} {
		if text, ok := k.text(l, HelpText, nil); ok {
			return text
		}
	}
	return ""
}

// ColumnTitle returns the name of a column for users, in a language. Without a translation it
// returns the title in the struct tag, or else the column's name.
func (k Kind) ColumnTitle(lang string, f *rowschema.Field) string {
	if text, ok := k.text(lang, f.Name+"."+TitleText, nil); ok {
		return text
	}
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// NoneOf returns the text for an empty value of a column in a language, such as "All brands".
// Without a translation it returns the text in the struct tag; "" if there is none.
func (k Kind) NoneOf(lang string, f *rowschema.Field) string {
	if text, ok := k.text(lang, f.Name+noneText, nil); ok {
		return text
	}
	return f.None
}
