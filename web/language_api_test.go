package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEachReaderHasTheirLanguage: one stored row is told in the language that is
// asked for, wherever it is shown.
func TestEachReaderHasTheirLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price\nA,,1\nB,b,x\nC,c,-1\n", "")
	l.split()
	for lang, says := range map[string][]string{
		"ru":    {"Не заполнено поле «Name»", "Price: «x» — не число", "Укажите цену без налога"},
		"zh-CN": {"“Name”不能为空", "Price：“x”不是数字", "价格必须大于零"},
		"vi":    {"Chưa điền “Name”", "Price: “x” không phải là số", "Giá phải lớn hơn 0"},
		"fr":    {"Name is empty", `Price: \"x\" is not a number`, "Price must be above zero"},
	} {
		for _, path := range []string{"", "/events", "/errors"} {
			r := l.look("/api/v1/tasks/"+id+path, "Accept-Language", lang)
			r.is(http.StatusOK)
			for _, text := range says {
				if !strings.Contains(r.body, text) {
					t.Errorf("%s %s does not say %q: %s", lang, path, text, r.body)
				}
			}
			if r.header.Get("Vary") != "Accept-Language" || r.header.Get("Content-Language") == "" {
				t.Errorf("%s %s: headers %v", lang, path, r.header)
			}
		}
		for format, text := range map[string]string{"csv": says[0], "jsonl": says[0]} {
			r := l.look("/api/v1/tasks/"+id+"/result?format="+format, "Accept-Language", lang)
			if !strings.Contains(r.body, text) {
				t.Errorf("%s %s does not say %q: %s", lang, format, text, r.body)
			}
		}
	}
}

// TestVersionsOfTwoLanguagesAreTwo: a reader who changes the language is not
// told that nothing has changed.
func TestVersionsOfTwoLanguagesAreTwo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price\nA,,1\n", "")
	l.split()
	path := "/api/v1/tasks/" + id
	tag := l.look(path, "Accept-Language", "ru").header.Get("ETag")
	l.look(path, "Accept-Language", "ru", "If-None-Match", tag).is(http.StatusNotModified)
	r := l.look(path, "Accept-Language", "vi", "If-None-Match", tag)
	r.is(http.StatusOK)
	if !strings.Contains(r.body, "Chưa điền") || r.header.Get("Content-Language") != "vi" {
		t.Errorf("after Russian: %v %s", r.header, r.body)
	}
	if en := l.look(path).header.Get("ETag"); strings.Contains(en, "-") {
		t.Errorf("the version in English is %s, want a number", en)
	}
}
