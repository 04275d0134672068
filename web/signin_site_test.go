package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

const (
	formType = "application/x-www-form-urlencoded"
	htmlType = "text/html"
)

// signIn sends the form of the sign-in page.
func (l *lab) signIn(secret, to string, header ...string) reply {
	l.t.Helper()
	form := url.Values{"key": {secret}, "to": {to}}.Encode()
	return l.call(http.MethodPost, "/sign-in", form, append(header, "Content-Type", formType)...)
}

// cookie returns the session that a response sets, as a browser sends it back.
func (r reply) cookie() string {
	r.t.Helper()
	text, rest, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(rest, want) {
			r.t.Errorf("Set-Cookie = %q lacks %s", r.header.Get("Set-Cookie"), want)
		}
	}
	return text
}

func TestPagesAskForAKey(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/").is(http.StatusOK)
	if r := l.look("/sign-in"); r.status != http.StatusOK || !strings.Contains(r.body, "keys create") {
		t.Errorf("before there is a key: %d %s", r.status, r.body)
	}
	id, secret := l.member("default", access.Reviewer)
	r := l.look("/?cursor=x", "Accept", htmlType)
	if r.status != http.StatusUnauthorized || !strings.Contains(r.body, `name="to" value="/?cursor=x"`) {
		t.Fatalf("a page without a key: %d %s", r.status, r.body)
	}
	if strings.Contains(r.body, "aria-current=\"true\"><span data-words=\"Imports\"") || !strings.Contains(r.body, `class="narrow"`) {
		t.Errorf("the sign-in page is shown as the page of imports, or its field is wide: %s", r.body)
	}
	l.look("/sign-in").is(http.StatusOK)

	wrong := l.signIn(secret+"x", "/")
	if wrong.status != http.StatusUnauthorized || wrong.header.Get("Set-Cookie") != "" ||
		!strings.Contains(wrong.body, "mistyped") {
		t.Errorf("a wrong key: %d %s", wrong.status, wrong.body)
	}
	in := l.signIn(secret, "/tasks/x")
	if in.status != http.StatusSeeOther || in.header.Get("Location") != "/tasks/x" {
		t.Fatalf("signed in: %d %v", in.status, in.header)
	}
	session := in.cookie()
	if strings.Contains(in.header.Get("Set-Cookie"), "Secure") {
		t.Error("a session on plain HTTP could not come back")
	}
	l.look("/", "Cookie", session).is(http.StatusOK)
	l.look("/api/v1/tasks", "Cookie", session).is(http.StatusOK)
	l.look("/api/v1/keys", "Cookie", session).refuses(http.StatusForbidden, "SCOPE_MISSING")
	if r := l.look("/sign-in", "Cookie", session); !strings.Contains(r.body, id) || !strings.Contains(r.body, "/sign-out") {
		t.Errorf("signed in, the page says %s", r.body)
	}
	secretAsCookie := "rollcall_session=" + secret
	l.look("/api/v1/tasks", "Cookie", secretAsCookie).refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")

	out := l.call(http.MethodPost, "/sign-out", "", "Cookie", session, "Sec-Fetch-Site", "same-origin")
	if out.status != http.StatusSeeOther || !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("signed out: %d %v", out.status, out.header)
	}
	l.look("/api/v1/tasks", "Cookie", session).refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")
	later := l.signIn(secret, "/").cookie()
	l.pass(12 * time.Hour)
	l.look("/api/v1/tasks", "Cookie", later).refuses(http.StatusUnauthorized, "API_KEY_EXPIRED")
}

// TestAChangeInASessionSaysWhereItComesFrom: a page of another site could make a browser send the
// cookie, but not the header.
func TestAChangeInASessionSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Admin)
	session := l.signIn(secret, "/").cookie()
	post := func(header ...string) reply {
		t.Helper()
		return l.call(http.MethodPost, keysPath, `{"name":"x","role":"viewer"}`,
			append(header, "Content-Type", jsonType, "Cookie", session)...)
	}
	post().refuses(http.StatusForbidden, "CROSS_ORIGIN")
	post("Origin", "https://evil.example").refuses(http.StatusForbidden, "CROSS_ORIGIN")
	post("Origin", "null").refuses(http.StatusForbidden, "CROSS_ORIGIN")
	post("Sec-Fetch-Site", "cross-site").refuses(http.StatusForbidden, "CROSS_ORIGIN")
	post("Sec-Fetch-Site", "same-site").refuses(http.StatusForbidden, "CROSS_ORIGIN")
	post("Sec-Fetch-Site", "same-origin").is(http.StatusCreated)
	post("Origin", l.url).is(http.StatusCreated)
	l.as(secret).postTo(keysPath, `{"name":"x","role":"viewer"}`).is(http.StatusCreated)
	if r := l.call(http.MethodPost, "/sign-out", "", "Cookie", session); r.status != http.StatusForbidden {
		t.Errorf("signed out from elsewhere: %d", r.status)
	}
	for _, to := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "", "x", "/\n/x"} {
		if r := l.signIn(secret, to); r.header.Get("Location") != "/" {
			t.Errorf("to %q leads to %q", to, r.header.Get("Location"))
		}
	}
}

// TestAFormSentTooLateIsNotLostInSilence: the response is a sign-in page, which the script shows. It leads
// back to the page of the form, unless that is a page of another site.
func TestAFormSentTooLateIsNotLostInSilence(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.member("default", access.Admin)
	for from, to := range map[string]string{
		l.url + "/tasks/x/rows/3?q=1": "/tasks/x/rows/3?q=1", "https://evil.example/tasks": "/", "": "/", "%": "/",
	} {
		r := l.call(http.MethodPost, "/imports", form(file("a.csv", rows(1))), "Content-Type", multipartType, "Referer", from)
		if r.status != http.StatusUnauthorized || !strings.Contains(r.body, "<span>Your session has ended.</span>") ||
			!strings.Contains(r.body, `name="to" value="`+to+`"`) {
			t.Errorf("from %q: %d %s", from, r.status, r.body)
		}
	}
	l.nothingLeft()
}
