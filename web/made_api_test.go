package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// madeBy creates a key, a schedule, a webhook and a link, as the caller of the lab. It returns the secret
// of the key, and the link.
func (l *lab) madeBy() (secret, link string) {
	l.t.Helper()
	r := l.postTo(keysPath, `{"name":"made","role":"operator"}`)
	r.is(http.StatusCreated)
	l.postTo("/api/v1/schedules", `{"name":"daily","cron":"0 9 * * *","request":`+wanted+`}`).is(http.StatusCreated)
	l.hook(`{"url":"http://127.0.0.1:9/x"}`)
	return r.object()["secret"].(string), l.linkTo(l.uploaded("Rows\n3\n"))
}

// state returns whether the schedule is paused and the webhook enabled.
func (l *lab) state() (paused, enabled any) {
	l.t.Helper()
	plans, _ := l.look("/api/v1/schedules").items()
	hooks, _ := l.look(hooksPath).items()
	return plans[0]["paused"], hooks[0]["enabled"]
}

func TestRevoke_WithWhatWasMade_EndsKeysSchedulesWebhooksAndLinks(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t, func(o *web.Options) { o.AllowPrivate = true })
	_, boss := l.member("acme", access.Admin)
	id, secret := l.member("acme", access.Admin)
	l.tenant = "acme"
	made, link := l.as(secret).madeBy()
	admin := l.as(boss)
	admin.call(http.MethodDelete, keysPath+"/"+id+"?with_made=perhaps", "").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	admin.call(http.MethodDelete, keysPath+"/"+id, "").is(http.StatusNoContent)
	l.as(made).look("/api/v1/tasks").is(http.StatusOK)
	if paused, enabled := admin.state(); paused != false || enabled != true {
		t.Errorf("a revocation alone paused %v, left enabled %v", paused, enabled)
	}
	r := admin.call(http.MethodDelete, keysPath+"/"+id+"?with_made=true", "")
	if o := r.object(); r.status != http.StatusOK || o["keys"] != 2. || o["schedules"] != 1. || o["webhooks"] != 1. {
		t.Errorf("with what it made: %d %s", r.status, r.body)
	}
	if log, _ := admin.look("/api/v1/audit").items(); log[0]["act"] != "end-made" || log[0]["touched"] != 4. || log[0]["target"] != id {
		t.Errorf("audit: %v", log[0])
	}
	l.as(made).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	l.as("").look(link).refuses(http.StatusForbidden, "LINK_ENDED")
	if paused, enabled := admin.state(); paused != true || enabled != false {
		t.Errorf("paused %v, enabled %v", paused, enabled)
	}
}

func TestRevoke_BoxIsTicked_EndsWhatWasMade(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t, func(o *web.Options) { o.AllowPrivate = true })
	_, boss := l.member("acme", access.Admin)
	id, secret := l.member("acme", access.Admin)
	l.tenant = "acme"
	made, _ := l.as(secret).madeBy()
	session := l.signIn(boss, "/").cookie()
	press := func(form url.Values) reply {
		return l.call(http.MethodPost, "/ops/access/"+id+"/revoke", form.Encode(),
			"Content-Type", formType, "Cookie", session, "Sec-Fetch-Site", "same-origin")
	}
	if r := press(url.Values{}); r.status != http.StatusOK || !strings.Contains(r.body, `name="made"`) {
		t.Errorf("the question: %d %s", r.status, r.body)
	}
	press(url.Values{"meant": {"yes"}, "made": {"yes"}}).is(http.StatusSeeOther)
	l.as(made).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	tells(t, l.as(boss).page("/ops/webhooks"), "Disabled: it answered 410 Gone, or the access of its creator was revoked")
}

// TestResume_ScheduleThatEndedWithItsMaker_IsTheResumers: the schedule then ends with the user who
// resumed it. A role that may not create schedules cannot resume one.
func TestResume_ScheduleThatEndedWithItsMaker_IsTheResumers(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t)
	_, boss := l.member("acme", access.Admin)
	_, viewer := l.member("acme", access.Viewer)
	_, stranger := l.member("globex", access.Admin)
	l.tenant = "acme"
	admin := l.as(boss)
	maker, secret := l.member("acme", access.Operator)
	plan := l.as(secret).postTo("/api/v1/schedules", `{"name":"daily","cron":"0 9 * * *","request":`+wanted+`}`).object()["id"].(string)
	at := "/api/v1/schedules/" + plan
	for _, byPage := range []bool{false, true} {
		admin.call(http.MethodDelete, keysPath+"/"+maker+"?with_made=true", "").is(http.StatusOK)
		admin.look(at).says("paused", true, "created_by", maker)
		l.as(viewer).postTo(at+"/resume", "").refuses(http.StatusForbidden, "SCOPE_MISSING")
		l.as(stranger).postTo(at+"/resume", "").refuses(http.StatusNotFound, "NOT_FOUND")
		maker, secret = l.member("acme", access.Operator)
		if byPage {
			l.as(secret).submits("/ops/schedules/" + plan + "/resume")
		} else {
			l.as(secret).postTo(at+"/resume", "").says("paused", false, "created_by", maker)
		}
		admin.look(at).says("paused", false, "created_by", maker)
		l.as(boss).postTo(at+"/pause", "").says("paused", true, "created_by", maker)
		l.as(secret).postTo(at+"/resume", "").says("paused", false)
	}
	r := admin.call(http.MethodDelete, keysPath+"/"+maker+"?with_made=true", "")
	if o := r.object(); r.status != http.StatusOK || o["schedules"] != 1. {
		t.Errorf("with what it made: %d %s", r.status, r.body)
	}
	admin.look(at).says("paused", true)
}
