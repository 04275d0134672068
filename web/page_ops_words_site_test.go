package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/access"
)

var (
	// toldText is a text of a page, between tags or in an attribute that is read out.
	toldText = regexp.MustCompile(`>([^<>]+)<|(?:aria-label|placeholder|data-time)="([^"]+)"`)
	// nobodysWords are names, codes, ids, cells, and what is stored in English.
	nobodysWords = regexp.MustCompile(`^(Rollcall|English|Tiếng Việt|UTC|test|idle|viewer|reviewer|operator|admin|acme \w+|` +
		`KILLED|killed by hand|moved to the morgue by key_\w+|(rcl|key)_\S+|[{\[].*|` +
		`[\w.:/-]*[.:/_-][\w.:/-]*(, \S+)*)$`)
	letters = regexp.MustCompile(`[A-Za-z]{2}`)
)

// told are the texts of a page that have Latin letters, and are somebody's words.
func told(page string) (out []string) {
	for _, m := range toldText.FindAllStringSubmatch(page, -1) {
		text := strings.TrimSuffix(strings.Trim(m[1]+m[2], " \n,:;()"), " · Rollcall")
		if letters.MatchString(text) && !nobodysWords.MatchString(text) {
			out = append(out, text)
		}
	}
	return out
}

// TestOperatorsReadTheirLanguage: no page of operators tells in another language
// what it tells in English, and each counts as its language does.
func TestOperatorsReadTheirLanguage(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	_, secret := d.member("acme", access.Admin)
	admin, at := d.as(secret), "/ops/queues/"+patients
	read := func(path, lang string) string {
		r := admin.look(path, "Accept", htmlType, "Accept-Language", lang)
		if r.status != http.StatusOK || !strings.Contains(r.body, `<html lang="`+lang+`"`) || strings.Contains(r.body, "page.ops.") {
			t.Errorf("GET %s in %s = %d\n%s", path, lang, r.status, r.body)
		}
		return r.body
	}
	admin.asked(at+"/acts", "act", "kill-failed", "key", "A")
	admin.submits("/ops/webhooks", "url", "https://example.com/in")
	tells(t, admin.submits("/ops/schedules", "name", "idle", "cron", "0 3 * * *", "time_zone", "UTC", "catch_up", "skip",
		"request", `{"kind":"`+patients+`","rows":[{"No":"1","tel":"+14155550100"}]}`).body, "The schedule is made")
	hook := regexp.MustCompile(`/ops/webhooks/[0-9a-f-]{36}`).FindString(admin.page("/ops/webhooks"))
	key := regexp.MustCompile(`/ops/access/key_\w+`).FindString(admin.page("/ops/access"))
	for _, path := range []string{
		"/ops", at, at + "/waiting", at + "/busy", at + "/morgue", at + "/keys", "/ops/nodes", "/ops/tasks", "/ops/rows",
		"/ops/rows/" + d.task + ".1", "/ops/rows/" + d.task + ".3", "/ops/schedules", "/ops/webhooks", hook, "/ops/limits", "/ops/access", key, "/ops/audit",
	} {
		english := told(read(path, "en"))
		for _, lang := range []string{"ru", "zh", "vi"} {
			for _, text := range told(read(path, lang)) {
				if slices.Contains(english, text) {
					t.Errorf("%s says %q in %s, too", path, text, lang)
				}
			}
		}
	}
}

// TestOperatorsAreAskedInTheirLanguage, and told in it what is wrong.
func TestOperatorsAreAskedInTheirLanguage(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	at := "/ops/queues/" + patients
	post := func(l *lab, lang, path, form string) reply {
		return l.call(http.MethodPost, path, form, "Content-Type", formType, "Accept", htmlType, "Accept-Language", lang)
	}
	_, secret := d.member("acme", access.Admin)
	admin := d.as(secret)
	for _, tt := range []struct {
		who                    *lab
		lang, path, form, want string
	}{
		{d.acme, "ru", at + "/acts", "act=kill-failed&key=A&key=B", "2 ключа вашего клиента в очереди " + patients + ": переместить в морг"},
		{d.acme, "zh", at + "/acts", "act=delete-dead&all=yes", "0 个键：从死信区删除"},
		{d.home, "vi", at + "/turn/pause", "", "3 khóa đang chờ"},
		{d.home, "ru", at + "/turn/reshard", "shards=0", "Число шардов — от 1 до"},
		{d.acme, "zh", "/ops/limits", "slots=-1", "同时作业数：0（不限）到"},
		{d.acme, "ru", "/ops/limits", "slots=x", "Лимиты — целые числа"},
		{d.acme, "vi", "/ops/webhooks", "url=http://10.0.0.1/", "Không thể gửi đến địa chỉ này"},
		{d.acme, "ru", "/ops/limits/pause", "", "ждут 0 строк в 1 задаче"},
		{d.acme, "vi", "/ops/schedules", "name=a&cron=x&time_zone=UTC&catch_up=skip&request=%7B%22kind%22%3A%22idle%22%7D", "Việc cần làm"},
		{d.acme, "zh", "/ops/schedules", "name=a&catch_up=skip", "“时间”为分、时、日、月、星期"},
		{admin, "ru", "/ops/access", "name=&role=viewer", "Такой ключ создать нельзя"},
		{admin, "zh", "/ops/access", "name=a&role=viewer&days=0", "1 到 3650 天"},
	} {
		if r := post(tt.who, tt.lang, tt.path, tt.form); !strings.Contains(words(r.body), tt.want) {
			t.Errorf("%s %s in %s does not say %q: %d\n%s", tt.path, tt.form, tt.lang, tt.want, r.status, words(r.body))
		}
	}
	r := d.acme.look("/api/v1/events/"+d.task+".2/explain", "Accept-Language", "ru")
	for _, text := range []string{`"BEHIND_ROW"`, "Перед ней 1 строка её ключа A", "Посмотрите, почему ждёт"} {
		if !strings.Contains(r.body, text) {
			t.Errorf("why a row waits is not told by %q: %s", text, r.body)
		}
	}
}
