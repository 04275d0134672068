package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

var (
	// pageText matches a text of a page, between tags or in an attribute that is read aloud.
	pageText = regexp.MustCompile(`>([^<>]+)<|(?:aria-label|placeholder|data-time)="([^"]+)"`)
	// nobodysWords matches names, codes, IDs, cells, and texts that are stored in English.
	nobodysWords = regexp.MustCompile(`^(Rollcall|owner|English|Tiếng Việt|UTC|test|idle|No|Phone|viewer|reviewer|operator|admin|acme( \w+)?|` +
		`KILLED|killed by hand|moved to the morgue by key_\w+|(rcl|key)_\S+|[{\[].*|` +
		`[\w.:/-]*[.:/_-][\w.:/-]*(, \S+)*)$`)
	letters = regexp.MustCompile(`[A-Za-z]{2}`)
)

// translatable returns the texts of a page that have Latin letters and belong to a language.
func translatable(page string) (out []string) {
	for _, m := range pageText.FindAllStringSubmatch(page, -1) {
		text := strings.TrimSuffix(strings.Trim(m[1]+m[2], " \n,:;()"), " · Rollcall")
		if letters.MatchString(text) && !nobodysWords.MatchString(text) {
			out = append(out, text)
		}
	}
	return out
}

// TestOperatorsReadTheirLanguage: no text of their pages is the same in another language as in
// English, including questions and errors. Package words checks that each language has all
// sentences.
func TestOperatorsReadTheirLanguage(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	_, secret := d.member("acme", access.Admin)
	admin, at := d.as(secret), "/ops/queues/"+patients
	admin.asked(at+"/acts", "act", "kill-failed", "key", "A")
	admin.submits("/ops/webhooks", "url", "https://example.com/in")
	tells(t, admin.submits("/ops/schedules", "name", "idle", "cron", "0 3 * * *", "time_zone", "UTC", "catch_up", "skip",
		"request", `{"kind":"`+patients+`","rows":[{"No":"1","tel":"+14155550100"}]}`).body, "The schedule is created")
	hook := regexp.MustCompile(`/ops/webhooks/[0-9a-f-]{36}`).FindString(admin.page("/ops/webhooks"))
	key := regexp.MustCompile(`/ops/access/key_\w+`).FindString(admin.page("/ops/access"))
	paths := []string{
		"/ops", at, at + "/waiting", at + "/busy", at + "/morgue", at + "/keys", "/ops/tasks", "/ops/rows", "/ops/errors",
		"/ops/rows/" + d.task + ".1", "/ops/rows/" + d.task + ".3", "/ops/schedules", "/ops/webhooks", hook, "/ops/limits",
		"/ops/access", key, "/ops/audit",
	}
	for _, path := range paths {
		admin.isTranslated(path)
	}
	for _, path := range []string{"/ops", at, "/ops/nodes"} {
		d.home.isTranslated(path)
	}
	d.asksInRussian(admin)
	d.home.asked(at + "/control/pause")

	r := d.acme.look("/api/v1/events/"+d.task+".3/explain", "Accept-Language", "zh")
	for _, text := range []string{`"QUEUE_PAUSED"`, "队列已暂停", "请恢复队列"} {
		if !strings.Contains(r.body, text) {
			t.Errorf("why a row waits is not told by %q: %s", text, r.body)
		}
	}
}

// isTranslated checks that no Russian text of a page equals an English one.
func (l *lab) isTranslated(path string) {
	l.t.Helper()
	read := func(lang string) []string {
		r := l.look(path, "Accept", htmlType, "Accept-Language", lang)
		if r.status != http.StatusOK || !strings.Contains(r.body, `<html lang="`+lang+`"`) || strings.Contains(r.body, "page.ops.") {
			l.t.Errorf("GET %s in %s = %d\n%s", path, lang, r.status, r.body)
		}
		return translatable(r.body)
	}
	english := read("en")
	for _, text := range read("ru") {
		if slices.Contains(english, text) {
			l.t.Errorf("%s says %q in Russian, too", path, text)
		}
	}
}

// asksInRussian checks questions before an act, and errors.
func (d *depot) asksInRussian(admin *lab) {
	d.t.Helper()
	at := "/ops/queues/" + patients
	for _, tt := range []struct {
		who              *lab
		path, form, want string
	}{
		{d.acme, at + "/acts", "act=kill-failed&key=A&key=B", "2 ключа вашей организации в очереди " + patients + ": переместить в мёртвые"},
		{d.acme, at + "/acts", "act=delete-dead&all=yes", "1 ключ вашей организации"},
		{d.home, at + "/control/pause", "", "не начнутся ни у одного клиента: 2 ключа ждут"},
		{d.home, at + "/control/reshard", "shards=0", "Введите число шардов от 1 до"},
		{d.acme, "/ops/limits", "slots=-1", "Заданий одновременно: введите целое число до"},
		{d.acme, "/ops/limits", "slots=x", "Заданий одновременно: введите целое число до"},
		{d.acme, "/ops/limits/pause", "", "0 строк в 1 задаче"},
		{d.acme, "/ops/webhooks", "url=http://10.0.0.1/", "На этот адрес отправлять нельзя"},
		{d.acme, "/ops/schedules", "name=a&cron=x&time_zone=UTC&catch_up=skip&request=%7B%22kind%22%3A%22idle%22%7D", "«Какую задачу создавать» не подходит"},
		{d.acme, "/ops/schedules", "name=a&catch_up=skip", "Введите в поле «Когда» минуту"},
		{admin, "/ops/access", "name=&role=viewer", "Ключ не создан"},
		{admin, "/ops/access", "name=a&role=viewer&days=0", "от 1 до 3650 дней"},
	} {
		r := tt.who.call(http.MethodPost, tt.path, tt.form, "Content-Type", formType, "Accept", htmlType, "Accept-Language", "ru")
		if !strings.Contains(words(r.body), tt.want) {
			d.t.Errorf("%s %s does not say %q: %d\n%s", tt.path, tt.form, tt.want, r.status, words(r.body))
		}
	}
}
