package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// refusedCase is a request that is refused, and the expected members of its log line.
type refusedCase struct {
	name   string
	send   func(l *lab, header ...string) reply
	status int
	want   []string
}

// get returns a function that sends a GET with the headers `more`.
func (refusedCase) get(path string, more ...string) func(*lab, ...string) reply {
	return func(l *lab, header ...string) reply { return l.look(path, append(header, more...)...) }
}

func (refusedCase) post(path, body string, more ...string) func(*lab, ...string) reply {
	return func(l *lab, header ...string) reply {
		return l.call(http.MethodPost, path, body, append(header, more...)...)
	}
}

// refusedCases returns a case for each kind of refusal. It adds keys and sessions
// to `l`. The issuer `i` signs the tokens.
func refusedCases(t *testing.T, l *lab, i issuer) []refusedCase {
	var c refusedCase
	const tasks, shown = "/api/v1/tasks", 12
	id, viewer := l.member("acme", access.Viewer)
	gone, revoked := l.member("acme", access.Viewer)
	fine(t, l.opt.Access.Revoke(t.Context(), "test", "acme", gone))
	late, err := i.late(l)
	fine(t, err)
	k, old, err := l.opt.Access.Create(t.Context(), "test", access.Draft{
		Tenant: "acme", Name: "old", Role: access.Viewer, ExpiresAt: l.clock().Add(time.Second),
	})
	fine(t, err)
	session, over := l.signIn(viewer, "/").cookie(), l.signIn(old, "/").cookie()
	l.pass(time.Second)
	_, foreign := newLab(t).member("acme", access.Viewer)
	with := func(secret string) []string { return []string{"Authorization", "Bearer " + secret} }
	form := func(secret string) string { return url.Values{"key": {secret}}.Encode() }
	return []refusedCase{
		{"no credential", c.get(tasks), 401, []string{"level=INFO", "code=API_KEY_REQUIRED", "via=none", "route=/api/v1/tasks", "method=GET"}},
		{"no credential on a page", c.get("/"), 401, []string{"code=API_KEY_REQUIRED", "via=none", "route=/"}},
		{"wrong key", c.get(tasks, with(foreign)...), 401, []string{"level=WARN", "code=API_KEY_UNKNOWN", "via=key", "presented=" + foreign[:shown]}},
		{"old key", c.get(tasks, with(old)...), 401, []string{"code=API_KEY_EXPIRED", "credential=" + k.ID, "tenant=acme"}},
		{"revoked key", c.get(tasks, with(revoked)...), 401, []string{"code=API_KEY_REVOKED", "credential=" + gone, "tenant=acme"}},
		{"wrong session", c.get(tasks, "Cookie", session+"x"), 401, []string{"code=API_KEY_UNKNOWN", "via=session"}},
		{"old session", c.get("/", "Cookie", over), 401, []string{"code=API_KEY_EXPIRED", "via=session", "credential=" + k.ID}},
		{"wrong key in the form", c.post("/sign-in", form(foreign), "Content-Type", formType), 401, []string{"code=API_KEY_UNKNOWN", "via=form", "presented=" + foreign[:shown]}},
		{"wrong token", c.get(tasks, with("a.b.c")...), 401, []string{"code=TOKEN_INVALID", "via=token", "err="}},
		{"token without a role", c.get(tasks, with(late)...), 401, []string{"code=TOKEN_WITHOUT_ROLE", "via=token"}},
		{"sign-in that nobody began", c.get(callback + "?state=x"), 400, []string{"code=SIGN_IN_REFUSED", "via=issuer", "err="}},
		{"scope", c.get(keysPath, with(viewer)...), 403, []string{"code=SCOPE_MISSING", "credential=" + id, "tenant=acme", "route=" + keysPath}},
		{"page of another site", c.post(tasks, "{}", append(with(viewer), "Sec-Fetch-Site", "cross-site")...), 403, []string{"code=CROSS_ORIGIN", "method=POST"}},
		{"session without an origin", c.post(tasks, "{}", "Cookie", session), 403, []string{"code=CROSS_ORIGIN", "via=session"}},
		{"link", c.get("/api/v1/files/x/content?signature=x&expires=9&account=acme"), 403, []string{"code=LINK_INVALID", "via=link"}},
		{"key in the address", c.get("/api/v1/tasks?api_key=x"), 400, []string{"code=API_KEY_IN_ADDRESS"}},
		{"too many requests", func(l *lab, header ...string) reply {
			l.look("/api/v1/kinds", append(header, with(viewer)...)...).is(http.StatusOK)
			return l.look("/api/v1/kinds", append(header, with(viewer)...)...)
		}, 429, []string{"code=RATE_LIMITED", "credential=" + id, "tenant=acme"}},
		{"too many guesses", func(l *lab, header ...string) reply {
			for range 20 {
				l.look(tasks, append(header, with(foreign)...)...)
			}
			return l.look(tasks, append(header, with(foreign)...)...)
		}, 429, []string{"code=TOO_MANY_WRONG_KEYS", "via=key", "presented=" + foreign[:shown]}},
	}
}

// late returns a valid token that gives no role.
func (i issuer) late(l *lab) (string, error) {
	return i.token(l.t.(*testing.T), ann.with(claims{"roles": nil, "exp": dawn.Unix() + 900})), nil
}

func TestRefused_EachListener_IsOneLineOfTheLog(t *testing.T) {
	t.Parallel()
	l, i := behind(t), newIssuer(t)
	i.trusted(&l.opt)
	l.pace(1)
	secrets := []string{}
	for n, tt := range refusedCases(t, l, i) {
		client := fmt.Sprintf("203.0.113.%d", n+1)
		tt.send(l, "X-Forwarded-For", client, "Accept", htmlType).is(tt.status)
		lines := l.logged("msg=\"request refused\"", "client="+client+" ") // not the lines that count omitted refusals
		last := ""
		if len(lines) > 0 {
			last = lines[len(lines)-1]
		}
		for _, want := range append(tt.want, fmt.Sprintf("status=%d", tt.status), "request=") {
			if !strings.Contains(last+" ", want) {
				t.Errorf("%s: the log has %q, want %s", tt.name, lines, want)
			}
		}
		secrets = append(secrets, client)
	}
	if len(secrets) == 0 || strings.Contains(l.log.String(), "Bearer") {
		t.Errorf("logged: %s", l.log)
	}
	if access.Leaks(l.log.String()) {
		t.Errorf("a secret was logged: %s", l.log)
	}
}

// logged returns the log lines that contain all the texts.
func (l *lab) logged(texts ...string) (lines []string) {
	for line := range strings.Lines(l.log.String()) {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// faults returns the log lines that are not about refused requests.
func (l *lab) faults() (lines []string) {
	for _, line := range l.logged("") {
		if !strings.Contains(line, "request refused") && !strings.Contains(line, "requests refused") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestRefused_UnknownHost_IsLogged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := httptest.NewRequest(http.MethodGet, "/api/v1/tasks", nil)
	r.Host = "evil.example"
	l.api.ServeHTTP(httptest.NewRecorder(), r)
	if got := l.logged("code=UNKNOWN_HOST"); len(got) != 1 {
		t.Errorf("logged: %s", l.log)
	}
}

func TestRefused_FileOrAddressThatIsWrong_IsNotLogged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/api/v1/tasks/x").is(http.StatusNotFound)
	l.postTo("/api/v1/tasks", "{").is(http.StatusBadRequest)
	if text := l.log.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}
