package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEachReaderHasTheirLanguage: one stored row is shown in the requested language, in every
// response.
func TestEachReaderHasTheirLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price\nA,,1\nB,b,x\nC,c,-1\n", "")
	l.split()
	titles := map[string]string{"ru": "Не больше нуля", "zh-CN": "未填写", "vi": "Số không hợp lệ", "fr": "Invalid number"}
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
		if title := titles[lang]; !strings.Contains(l.look("/api/v1/tasks/"+id+"/error-groups",
			"Accept-Language", lang).body, title) {
			t.Errorf("%s: no group is called %q", lang, title)
		}
		for format, text := range map[string]string{"csv": says[0], "jsonl": says[0]} {
			r := l.look("/api/v1/tasks/"+id+"/result?format="+format, "Accept-Language", lang)
			if !strings.Contains(r.body, text) {
				t.Errorf("%s %s does not say %q: %s", lang, format, text, r.body)
			}
		}
	}
}

// TestVersionsOfTwoLanguagesAreTwo: a reader who changes the language does not get 304.
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

// TestFilesAreRefusedInTheReadersLanguage also tests a mapping that may correct the headings.
func TestFilesAreRefusedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	send := func(name, content, options, lang string) reply {
		return l.call(http.MethodPost, "/api/v1/tasks", form(field("kind", "products.import"),
			field("options", options), file(name, content)), "Content-Type", multipartType, "Accept-Language", lang)
	}
	const misspelt = "SKU,Nmae,Prise\nA,a,1\n"
	send("a.csv", misspelt, "", "ru").refuses(http.StatusUnprocessableEntity, "MISSING_COLUMN",
		"В файле нет обязательных столбцов: Name, Price", "Нет столбца «Name». Возможно, это «Nmae»?",
		`"suggested_mapping":{"Nmae":"Name","Prise":"Price"}`)
	send("a.csv", misspelt, "", "en").refuses(http.StatusUnprocessableEntity, "MISSING_COLUMN",
		"The file lacks required columns: Name, Price", `Did you mean \"Nmae\"?`)
	send("a.csv", misspelt, `{"mapping":{"Nmae":"Name","Prise":"Price"}}`, "ru").is(http.StatusAccepted)
	send("a.csv", "", "", "vi").refuses(http.StatusUnprocessableEntity, "EMPTY_FILE", "Tệp trống. Hãy chọn tệp")
	l.look("/api/v1/tasks/nope", "Accept-Language", "zh").refuses(http.StatusNotFound, "NOT_FOUND", "未找到")
}

// TestATaskReportsWhatIsWrongWithItsFile: the text is in the language of the poll.
func TestATaskReportsWhatIsWrongWithItsFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(3)+"\"open,x,1\n", "")
	l.split()
	for lang, says := range map[string]string{
		"ru": "Кавычка, открытая в строке 5, не закрыта.", "zh": "文件第 5 行的引号没有闭合。", "en": "line 5",
	} {
		r := l.look("/api/v1/tasks/"+id, "Accept-Language", lang)
		problem, _ := r.object()["problem"].(map[string]any)
		if detail, _ := problem["detail"].(string); !strings.Contains(detail, says) {
			t.Errorf("%s: %v, want %s", lang, problem, says)
		}
	}
}

// TestCorrectionsAreReportedInTheReadersLanguage: the texts about each row, and the reason why a row
// cannot be changed any more, are in the language of the reader.
func TestCorrectionsAreReportedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	content := l.edited(id, "A;a;", "A;aa;", "B;b;x", "B;b;y")
	for lang, says := range map[string][]string{
		"en": {"2 of 5 rows differ", "The row has finished", "is not a number"},
		"ru": {"Отличается строк: 2 из 5", "Строка уже выполнена", "не число"},
		"vi": {"2/5 dòng có thay đổi", "Dòng đã hoàn tất", "không phải là số"},
		"zh": {"5 行中，2 行有改动", "该行已完成", "不是数字"},
	} {
		r := l.call(http.MethodPost, "/api/v1/tasks/"+id+"/corrections?dry_run=true", form(file("p.csv", content)),
			"Content-Type", multipartType, "Accept-Language", lang)
		r.is(http.StatusOK)
		for _, text := range says {
			if !strings.Contains(r.body, text) {
				t.Errorf("%s does not say %q: %s", lang, text, r.body)
			}
		}
	}
	for lang, text := range map[string]string{"ru": "состоянии", "vi": "trạng thái", "zh": "状态"} {
		l.call(http.MethodPatch, "/api/v1/events/"+id+".1", `{"note":"x"}`, "Content-Type", jsonType,
			"If-Match", `"2"`, "Accept-Language", lang).refuses(http.StatusConflict, "WRONG_STATUS", text)
	}
}
