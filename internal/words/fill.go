package words

import (
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// hole is a placeholder of a text.
type hole struct {
	name  string
	forms string // of a choice, in their source form; empty for a name
}

// cut splits a text at its first placeholder. It returns false for a text without placeholders. Other
// braces are plain text.
func cut(text string) (before string, h hole, after string, ok bool) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 {
			return text, hole{}, "", false
		}
		open := at + i
		inside, after, closed := strings.Cut(text[open+1:], "}")
		name, forms, _ := strings.Cut(inside, "|")
		if closed && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == "" {
			return text[:open], hole{name, forms}, after, true
		}
		at = open + 1
	}
}

// Fill replaces the placeholders of a text with values, and chooses forms by the rules of the
// language. It returns false if a placeholder has no value, or if the value of a choice is not an
// integer or has no form.
func Fill(lang, text string, args map[string]string) (string, bool) {
	var out strings.Builder
	for {
		before, h, after, more := cut(text)
		out.WriteString(before)
		if !more {
			return out.String(), true
		}
		value, ok := args[h.name]
		if ok && h.forms != "" {
			value, ok = choose(lang, h.forms, value)
		}
		if !ok {
			return "", false
		}
		out.WriteString(value)
		text = after
	}
}

// choose returns the form for a number. If the form is missing, it returns the form "other". It returns
// false if the number is invalid, or if both forms are missing.
func choose(lang, forms, number string) (string, bool) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return "", false
	}
	want, other, found := formOf(lang, n), "", false
	for f := range strings.SplitSeq(forms, "|") {
		name, text, _ := strings.Cut(f, "=")
		if name == want {
			return text, true
		}
		if name == "other" {
			other, found = text, true
		}
	}
	return other, found
}

// formOf returns the name of the form that a language uses for a number.
func formOf(lang string, n int) string {
	n = max(n, -n)
	form := plural.Cardinal.MatchPlural(language.Make(lang), n%10_000_000, 0, 0, 0, 0)
	return [...]string{
		plural.Other: "other", plural.Zero: "zero", plural.One: "one",
		plural.Two: "two", plural.Few: "few", plural.Many: "many",
	}[form]
}

// Holes returns the names of the placeholders of a text, in order.
func Holes(text string) []string {
	var out []string
	for {
		_, h, after, more := cut(text)
		if !more {
			return out
		}
		out, text = append(out, h.name), after
	}
}
