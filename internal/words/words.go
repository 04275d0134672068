package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed texts/*.json
var files embed.FS

// Default is the language of stored and logged texts, and of requests without a language.
const Default = "en"

// catalogue holds the sentences by language and text key. It never changes.
var catalogue = load()

func load() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, lang := range []string{Default, "ru", "vi", "zh"} {
		out[lang] = map[string]string{}
		for _, name := range []string{lang, "pages." + lang, "imports." + lang, "tasks." + lang, "ops." + lang, "console." + lang} {
			read(name, out[lang])
		}
	}
	return out
}

// read adds the sentences of a file to `texts`.
func read(name string, texts map[string]string) {
	b, err := files.ReadFile("texts/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("words: %v", err))
	}
	if err := json.Unmarshal(b, &texts); err != nil {
		panic(fmt.Sprintf("words: %s: %v", name, err))
	}
}

// Languages returns the languages of the catalogue, Default first.
func Languages() []string {
	return slices.SortedFunc(maps.Keys(catalogue), func(a, b string) int {
		switch {
		case a == Default:
			return -1
		case b == Default:
			return 1
		}
		return strings.Compare(a, b)
	})
}

// Say returns the sentence of a text key in the given language, or in Default if the catalogue lacks the
// sentence. It returns false for an unknown text key, or if Fill returns false for the values in `args`.
func Say(lang, key string, args map[string]string) (string, bool) {
	for _, l := range []string{lang, Default} {
		if text, ok := catalogue[l][key]; ok {
			return Fill(l, text, args)
		}
	}
	return "", false
}

// English returns the sentence of a text key in Default. It panics if Say returns false, which is a bug.
func English(key string, args map[string]string) string {
	text, ok := Say(Default, key, args)
	if !ok {
		panic(fmt.Sprintf("words: the text %q cannot be filled with %v", key, args))
	}
	return text
}

// Keys returns the text keys of the catalogue that begin with `prefix`, sorted.
func Keys(prefix string) []string {
	var out []string
	for key := range catalogue[Default] {
		if strings.HasPrefix(key, prefix) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
