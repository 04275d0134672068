package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// submits sends a form of a page as a browser does, and follows the redirect.
func (l *lab) submits(path string, fields ...string) reply {
	l.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r := l.call(http.MethodPost, path, form.Encode(), "Content-Type", formType, "Accept", htmlType)
	if to := r.header.Get("Location"); r.status == http.StatusSeeOther {
		return l.look(to, "Accept", htmlType)
	}
	return r
}

// asked sends a form that has to be confirmed, and confirms it.
func (l *lab) asked(path string, fields ...string) (question, then reply) {
	l.t.Helper()
	question = l.submits(path, fields...)
	if question.status != http.StatusOK || !strings.Contains(question.body, `name="meant" value="yes"`) {
		l.t.Fatalf("POST %s does not ask: %d\n%s", path, question.status, question.body)
	}
	return question, l.submits(path, append(fields, "meant", "yes")...)
}

var secretShown = regexp.MustCompile(`<code class="secret">([^<]+)</code>`)

// secretOf returns the secret that a page shows.
func (r reply) secretOf() string {
	r.t.Helper()
	found := secretShown.FindStringSubmatch(r.body)
	if r.status != http.StatusOK || found == nil || r.header.Get("Cache-Control") != "no-store" {
		r.t.Fatalf("%d, %v: no secret that nobody keeps\n%s", r.status, r.header, r.body)
	}
	return found[1]
}

// TestKeysAreGivenOutOnAPage: a secret is shown once, and acts have to be confirmed.
func TestKeysAreGivenOutOnAPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, admin := l.member("default", access.Admin)
	_, operator := l.member("default", access.Operator)
	l = l.as(admin)
	made := l.submits("/ops/access", "name", `<b>till</b>`, "role", "viewer", "days", "30")
	secret := made.secretOf()
	l.as(secret).look("/api/v1/tasks").is(http.StatusOK)
	page := l.page("/ops/access")
	tells(t, page, "API keys", "<b>till</b>", "viewer", "3 Apr 2026")
	if strings.Contains(page, secret) || strings.Contains(page, "<b>") {
		t.Error("the page tells the secret again, or takes a name for markup")
	}
	for _, fields := range [][]string{{"name", "", "role", "viewer"}, {"name", "x", "role", "king"}, {"name", "x", "role", "viewer", "days", "-1"}} {
		if r := l.submits("/ops/access", fields...); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `role="alert"`) {
			t.Errorf("%q: %d\n%s", fields, r.status, r.body)
		}
	}
	id := regexp.MustCompile(`/ops/access/(key_\w+)"><bdi>&lt;b`).FindStringSubmatch(page)[1]
	_, turned := l.asked("/ops/access/" + id + "/rotate")
	l.as(turned.secretOf()).look("/api/v1/tasks").is(http.StatusOK)
	_, gone := l.asked("/ops/access/" + id + "/revoke")
	tells(t, gone.body, "The key is revoked", "till", "Revoked")
	tells(t, l.page("/ops/access/"+id), "till", "revoke", "rotate", "create")

	l = l.as(operator)
	if r := l.look("/ops/access", "Accept", htmlType); r.status != http.StatusForbidden {
		t.Errorf("an operator sees keys: %d", r.status)
	}
	if strings.Contains(l.page("/ops"), "/ops/access") {
		t.Error("an operator sees a door that is closed")
	}
}

// TestWebhooksAndLimitsArePages: the pages show the user's own tenant.
func TestWebhooksAndLimitsArePages(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id, secret := l.member("default", access.Operator)
	_, other := l.member("acme", access.Operator)
	mine, theirs := l.as(secret), l.as(other)
	tells(t, mine.page("/ops/webhooks"), "No webhooks yet")
	if r := mine.submits("/ops/webhooks", "url", "http://10.0.0.1/"); r.status != http.StatusUnprocessableEntity {
		t.Errorf("a private address: %d\n%s", r.status, r.body)
	}
	if made := mine.submits("/ops/webhooks", "url", "https://example.com/in", "topic", "task.finished"); !strings.HasPrefix(made.secretOf(), "whsec_") {
		t.Errorf("%s", made.body)
	}
	page := mine.page("/ops/webhooks")
	tells(t, page, "https://example.com/in", "task.finished", "On", "Delete")
	at := regexp.MustCompile(`/ops/webhooks/[0-9a-f-]{36}`).FindString(page)
	tells(t, mine.page(at), "https://example.com/in", "No deliveries yet")
	for _, r := range []reply{theirs.look(at, "Accept", htmlType), theirs.submits(at+"/delete", "meant", "yes")} {
		if r.status != http.StatusNotFound {
			t.Errorf("another tenant gets %d\n%s", r.status, r.body)
		}
	}
	question, gone := mine.asked(at + "/delete")
	tells(t, question.body, "Rollcall sends no more messages to https://example.com/in")
	tells(t, gone.body, "The webhook and the records of its deliveries are deleted", "No webhooks yet")

	fine(t, l.opt.Tasks.SetWeight(t.Context(), "default", 3))
	set := mine.submits("/ops/limits", "slots", "7", "rows", " 1000 ", "bytes", "500 mb")
	tells(t, set.body, "The limits are saved", "Limits of default", "Weight of the tenant: 3.")
	l.as(secret).look("/api/v1/tenants/default/limits").says("bytes", float64(500<<20))
	for _, value := range []string{`value="7"`, `value="1000"`, `value="500 MB"`} {
		if !strings.Contains(set.body, value) || strings.Contains(theirs.page("/ops/limits"), value) {
			t.Errorf("%s is not shown to who it concerns alone", value)
		}
	}
	for _, bad := range []string{"-1", "x", "1.5", `1,"window":2`} {
		if r := mine.submits("/ops/limits", "slots", bad); r.status != http.StatusUnprocessableEntity ||
			!strings.Contains(r.body, `role="alert"`) {
			t.Errorf("slots=%s: %d\n%s", bad, r.status, r.body)
		}
	}

	question, paused := mine.asked("/ops/limits/pause")
	tells(t, question.body, "Pause default", "No more rows of the tenant start: 0 rows of 0 tasks wait")
	tells(t, paused.body, "The tenant is paused", "Tenant paused", "Paused", "Resume the tenant")
	if page := theirs.page("/ops/limits"); !strings.Contains(page, "Pause the tenant") {
		t.Errorf("another tenant is paused, too:\n%s", page)
	}
	_, resumed := mine.asked("/ops/limits/resume")
	tells(t, resumed.body, "The tenant is resumed", "Pause the tenant")
	if r := mine.submits("/ops/limits/stop"); r.status != http.StatusNotFound {
		t.Errorf("an act that there is not: %d", r.status)
	}
	tells(t, mine.page("/ops/audit"), "default operator resume tenant default", "default operator pause tenant default", "save limits")
	mine.accepted("p.csv", rows(1), "")
	if page := words(mine.page("/ops/tasks")); strings.Contains(page, id) {
		t.Errorf("the tasks do not name the key:\n%s", page)
	}
}
