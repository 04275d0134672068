package words

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryLanguageHasEveryText: each language has the same keys with the same placeholders, and
// all plural forms.
func TestEveryLanguageHasEveryText(t *testing.T) {
	t.Parallel()
	if got := Languages(); !slices.Equal(got, []string{"en", "ru", "vi", "zh"}) {
		t.Fatalf("languages: %q", got)
	}
	english := catalogue[Default]
	for _, lang := range Languages() {
		for key := range catalogue[lang] {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has %q, which English has not", lang, key)
			}
		}
		for key, text := range english {
			own, ok := catalogue[lang][key]
			if !ok || strings.TrimSpace(own) == "" {
				t.Errorf("%s does not say %q", lang, key)
				continue
			}
			if want, got := holes(text), holes(own); !maps.Equal(want, got) {
				t.Errorf("%s: %q has the placeholders %v, want %v", lang, key, got, want)
			}
			countsRight(t, lang, key, own)
		}
	}
}

// holes returns the names of the placeholders of a text.
func holes(text string) map[string]bool {
	out := map[string]bool{}
	for _, h := range Holes(text) {
		out[h] = true
	}
	return out
}

// countsRight checks that every plural choice has every form that a whole number can require, and that
// all braces are closed.
func countsRight(t *testing.T, lang, key, text string) {
	t.Helper()
	forms := map[string]bool{}
	for n := range 200 {
		forms[formOf(lang, n)] = true
	}
	rest := ""
	for before, h, after, more := cut(text); ; before, h, after, more = cut(after) {
		for form := range forms {
			if h.forms != "" && !strings.Contains("|"+h.forms, "|"+form+"=") {
				t.Errorf("%s: %q lacks the form %q for {%s}", lang, key, form, h.name)
			}
		}
		if rest += before; !more {
			break
		}
	}
	if key != "json.object" && strings.ContainsAny(rest, "{}") {
		t.Errorf("%s: %q has a brace that is no placeholder: %s", lang, key, rest)
	}
}

func TestSay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, lang, key string
		args            map[string]string
		want            string
		ok              bool
	}{
		{"one in English", "en", "text.max", args("1"), "SKU is longer than 1 character", true},
		{"many in English", "en", "text.max", args("64"), "SKU is longer than 64 characters", true},
		{"one in Russian", "ru", "text.len", args("21"), "SKU: нужно ровно 21 символ", true},
		{"few in Russian", "ru", "text.len", args("3"), "SKU: нужно ровно 3 символа", true},
		{"many in Russian", "ru", "text.len", args("11"), "SKU: нужно ровно 11 символов", true},
		{"Chinese does not count", "zh", "text.len", args("1"), "“SKU”必须正好是 1 个字符", true},
		{"Vietnamese neither", "vi", "text.max", args("1"), "SKU dài hơn 1 ký tự", true},
		{"an unknown language is English", "xx", "required", args("1"), "SKU is empty", true},
		{"an unknown key says nothing", "en", "nonsense", args("1"), "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := Say(tt.lang, tt.key, tt.args); got != tt.want || ok != tt.ok {
				t.Errorf("Say = %q, %v, want %q, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func args(n string) map[string]string { return map[string]string{"column": "SKU", "n": n} }

// TestFill_IncompleteText_IsRefused: Fill returns false if a value or a form is missing.
func TestFill_IncompleteText_IsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{none}", "{n|one=a|other=b}", "{column} {n|few=x}"} {
		if got, ok := Fill("en", text, map[string]string{"column": "x", "n": "many"}); ok {
			t.Errorf("%s: %q, want none", text, got)
		}
	}
	if _, ok := Fill("en", "{n|few=x}", map[string]string{"n": "1"}); ok {
		t.Error("a choice without a form that fits was told")
	}
}

// TestAValueIsNeverAPlaceholder: texts of users are inserted unchanged.
func TestAValueIsNeverAPlaceholder(t *testing.T) {
	t.Parallel()
	got, ok := Fill("en", "{column}: {value}", map[string]string{"column": "{value}", "value": "{n|one=a}$1"})
	if want := "{value}: {n|one=a}$1"; got != want || !ok {
		t.Errorf("Fill = %q, want %q", got, want)
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	p := NewPicker("de", "ru")
	for accept, want := range map[string]string{
		"":                                    "en",
		"ru":                                  "ru",
		"ru-RU,ru;q=0.9,en;q=0.8":             "ru",
		"fr, zh-Hans;q=0.5":                   "zh",
		"zh-CN":                               "zh",
		"zh-TW":                               "zh",
		"vi-VN":                               "vi",
		"de-AT":                               "de",
		"fr":                                  "en",
		"*":                                   "en",
		"ru;q=0, en":                          "en",
		"ru;q=nonsense":                       "en",
		strings.Repeat("a", 10):               "en",
		strings.Repeat("ru,", maxAccept) + "": "en",
	} {
		if got := p.Pick(accept); got != want {
			t.Errorf("Pick(%.40q) = %s, want %s", accept, got, want)
		}
	}
}

// TestTranslationsAreInTheirScript checks that no English sentence is left in a file of another
// script. Texts without letters, such as a comma, have no script.
func TestTranslationsAreInTheirScript(t *testing.T) {
	t.Parallel()
	letter := regexp.MustCompile(`\p{L}`)
	for lang, script := range map[string]string{"ru": `\p{Cyrillic}`, "zh": `\p{Han}`, "vi": `[^\x00-\x7f]`} {
		own := regexp.MustCompile(script)
		for key, text := range catalogue[lang] {
			if letter.MatchString(text) && !own.MatchString(text) {
				t.Errorf("%s: %q is %q", lang, key, text)
			}
		}
	}
}
