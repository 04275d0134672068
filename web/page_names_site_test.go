package web_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestPages_SentWithAKey_NameTheKey: the table of imports and the history of a task show the name of an API
// key, and no id.
func TestPages_SentWithAKey_NameTheKey(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	admin, secret := l.member("default", access.Admin)
	key := l.as(secret).postTo("/api/v1/keys", `{"name":"Night shift","role":"reviewer"}`).object()
	task := "/tasks/" + l.as(key["secret"].(string)).accepted("a.csv", rows(1), "")
	for _, path := range []string{"/", task} {
		page := l.as(secret).page(path)
		if tells(t, page, "Night shift"); strings.Contains(page, key["id"].(string)) || strings.Contains(page, admin) {
			t.Errorf("%s shows the id of a key", path)
		}
	}
}

// TestOpsTasks_CreatedBy_TakesTheNameOfAKey: the search takes a name in any case, or an id. It offers the
// names. For a name of several keys it lists their ids.
func TestOpsTasks_CreatedBy_TakesTheNameOfAKey(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Admin)
	admin := l.as(secret)
	make := func(name string) map[string]any {
		return admin.postTo("/api/v1/keys", `{"name":"`+name+`","role":"reviewer"}`).object()
	}
	night, day := make("Night shift"), make("Day shift")
	l.as(night["secret"].(string)).accepted("night.csv", rows(1), "")
	l.as(day["secret"].(string)).accepted("day.csv", rows(1), "")
	for _, by := range []string{"Night shift", "night SHIFT", night["id"].(string)} {
		page := admin.page("/ops/tasks?by=" + url.QueryEscape(by))
		if tells(t, page, "night.csv"); strings.Contains(page, "day.csv") {
			t.Errorf("the search by %s finds tasks of others", by)
		}
		if !strings.Contains(page, `<option value="Day shift">`) {
			t.Error("the search does not offer the names of keys")
		}
	}
	_, other := l.member("globex", access.Admin)
	if page := l.as(other).page("/ops/tasks"); strings.Contains(page, "shift") {
		t.Error("another tenant reads the names")
	}
	twin := make("Night shift")
	r := admin.look("/ops/tasks?by=Night+shift", "Accept", htmlType)
	if tells(t, r.body, "Several API keys are named Night shift.", twin["id"].(string), night["id"].(string)); r.status != http.StatusBadRequest {
		t.Errorf("a name of two keys: %d", r.status)
	}
}

// TestPages_Header_NamesTheTenantOfTheAccount: a user of several tenants sees in which tenant they act. The
// owner acts in no tenant.
func TestPages_Header_NamesTheTenantOfTheAccount(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	_, acme := l.member("acme", access.Admin)
	_, home := l.member("default", access.Admin)
	header := func(l *lab) string {
		t.Helper()
		_, page, _ := strings.Cut(l.page("/"), `<a class="me"`)
		page, _, _ = strings.Cut(page, "</a>")
		return words("<a" + page)
	}
	for want, of := range map[string]*lab{"acme admin · acme": l.as(acme), "default admin": l.as(home)} {
		if got := header(of); !strings.HasSuffix(got, want) {
			t.Errorf("the header says %q, want %q", got, want)
		}
	}
	if got := header(owner); strings.Contains(got, "·") {
		t.Errorf("the header of the owner says %q", got)
	}
}

// TestOpsAudit_RequestOfAnAct_IsShownAsNamesAndValues: the names are in each language, and the page has no JSON.
func TestOpsAudit_RequestOfAnAct_IsShownAsNamesAndValues(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	owner.limits("default", `{"slots":7,"bytes":1073741824,"weight":3,"run_hours":"22:00-06:00 UTC"}`).is(http.StatusOK)
	owner.postTo("/api/v1/queues/products.import/pause", `{"note":"stock is counted"}`)
	_, other := l.member("acme", access.Admin)
	l.as(other).limits("acme", `{}`).is(http.StatusOK)
	page := owner.page("/ops/audit")
	tells(t, page, "save limits", "Stored files 1 GB", "Run hours 22:00-06:00 UTC", "Jobs at once 7", "Weight 3")
	for lang, want := range map[string]string{"ru": "Хранимые файлы 1 GB", "vi": "Dung lượng tệp đã lưu 1 GB", "zh": "存储的文件 1 GB"} {
		tells(t, owner.look("/ops/audit", "Accept", htmlType, "Accept-Language", lang).body, want)
	}
	_, table, _ := strings.Cut(page, "<tbody>")
	if strings.Contains(table, "{&#34;") || strings.Contains(table, "{") {
		t.Errorf("the page has JSON:\n%s", words("<p>"+table))
	}
	tells(t, l.as(other).page("/ops/audit"), "save limits", "limits none")
}

// TestMessages_MappedColumn_NameTheHeadingOfTheFile: the messages of a row name a column as the file and the labels of
// the page do.
func TestMessages_MappedColumn_NameTheHeadingOfTheFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", "SKU,Name,Unit price\nA,a,no\n", `{"mapping":{"Unit price":"Price"}}`)
	l.split()
	for lang, want := range map[string]string{"en": `Unit price: "no" is not a number`, "ru": "Unit price: «no» — не число"} {
		for _, path := range []string{"/tasks/" + id + "?code=INVALID_NUMBER", "/tasks/" + id + "/rows/1", "/api/v1/events/" + id + ".1"} {
			page := l.look(path, "Accept", "text/html,application/json", "Accept-Language", lang).body
			if !strings.Contains(html.UnescapeString(strings.ReplaceAll(page, `\"`, `"`)), want) {
				t.Errorf("%s in %s does not say %q:\n%s", path, lang, want, page)
			}
		}
	}
	tells(t, l.page("/tasks/"+id+"?code=INVALID_NUMBER&column=Price"), "Only “Invalid number” in Unit price", "2 Unit price no Unit price:")
	if body := l.look("/api/v1/events/" + id + ".1").body; !strings.Contains(body, `"column":"Price"`) {
		t.Errorf("the API names no column of the kind: %s", body)
	}
}
