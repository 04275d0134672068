package words

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// hole is a placeholder: its name and, if it is a choice, its forms.
var hole = regexp.MustCompile(`\{([a-z_]+)((?:\|[a-z]+=[^|}]*)*)\}`)

// Fill puts values into the placeholders of a text. Forms are chosen as the
// language counts. False means that a placeholder has no value, or that one to
// choose by is no whole number or has no form that fits.
func Fill(lang, text string, args map[string]string) (string, bool) {
	if !strings.Contains(text, "{") {
		return text, true
	}
	whole := true
	out := hole.ReplaceAllStringFunc(text, func(h string) string {
		part := hole.FindStringSubmatch(h)
		value, ok := args[part[1]]
		if ok && part[2] != "" {
			value, ok = choose(lang, part[2], value)
		}
		whole = whole && ok
		return value
	})
	return out, whole
}

// choose is the form for a number; other stands in for one that is not given.
func choose(lang, forms, number string) (string, bool) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return "", false
	}
	want, other, found := formOf(lang, n), "", false
	for f := range strings.SplitSeq(forms[1:], "|") {
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

// formOf is the name of the form that a language uses for a number of things.
func formOf(lang string, n int) string {
	n = max(n, -n)
	form := plural.Cardinal.MatchPlural(language.Make(lang), n%10_000_000, 0, 0, 0, 0)
	return [...]string{
		plural.Other: "other", plural.Zero: "zero", plural.One: "one",
		plural.Two: "two", plural.Few: "few", plural.Many: "many",
	}[form]
}

// Holes are the names of the placeholders of a text, in its order.
func Holes(text string) []string {
	var out []string
	for _, part := range hole.FindAllStringSubmatch(text, -1) {
		out = append(out, part[1])
	}
	return out
}
