package web_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

const keysPath = "/api/v1/keys"

// member creates a key of a tenant and returns its ID and secret.
func (l *lab) member(tenant string, role access.Role) (id, secret string) {
	l.t.Helper()
	k, secret, err := l.opt.Access.Create(l.t.Context(), "test", access.Draft{
		Tenant: tenant, Name: tenant + " " + string(role), Role: role,
	})
	fine(l.t, err)
	return k.ID, secret
}

// owner creates a key of the owner, and returns its ID and a lab that uses it.
func (l *lab) owner() (id string, owner *lab) {
	l.t.Helper()
	k, secret, err := l.opt.Access.CreateOwner(l.t.Context(), "test", access.Draft{Name: "owner"})
	fine(l.t, err)
	return k.ID, l.as(secret)
}

// as returns a lab that uses a key.
func (l *lab) as(secret string) *lab {
	sub := *l
	sub.secret = secret
	return &sub
}

func TestKeysAreAskedForOnceThereIsOne(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/api/v1/tasks").is(http.StatusOK)
	l.look("/api/v1/tasks", "Authorization", "Basic of-a-proxy").is(http.StatusOK)
	made := l.postTo(keysPath, `{"name":"ops","role":"admin","expires_at":"2026-03-05T00:00:00Z"}`)
	made.is(http.StatusCreated)
	o := made.object()
	id, secret := o["id"].(string), o["secret"].(string)
	if made.header.Get("Cache-Control") != "no-store" || o["created_by"] != "local" || o["tenant"] != "default" {
		t.Errorf("made %s with %v", made.body, made.header)
	}
	for _, path := range []string{"/api/v1/tasks", "/api/v1/kinds", "/api/v1/queues", keysPath} {
		r := l.look(path)
		r.refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
		if got := r.header.Get("WWW-Authenticate"); got != `Bearer realm="rollcall"` {
			t.Errorf("WWW-Authenticate = %q", got)
		}
		l.as(secret).look(path).is(http.StatusOK)
	}
	for _, path := range []string{"/healthz", "/readyz", "/static/style.css"} {
		l.look(path).is(http.StatusOK)
	}
	l.look("/api/v1/nothing").refuses(http.StatusNotFound, "NOT_FOUND")

	list, _ := l.as(secret).look(keysPath).items()
	if len(list) != 1 || list[0]["id"] != id || list[0]["secret"] != nil || list[0]["last_used_at"] == nil {
		t.Errorf("keys = %v", list)
	}
	task := l.as(secret).accepted("a.csv", rows(1), "")
	if by := l.as(secret).look("/api/v1/tasks/" + task).object()["created_by"]; by != id {
		t.Errorf("created_by = %v, want %s", by, id)
	}
	l.pass(24 * time.Hour)
	l.as(secret).look(keysPath).refuses(http.StatusUnauthorized, "API_KEY_EXPIRED")
}

func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Viewer)
	for name, header := range map[string]string{
		"another scheme": "Basic " + secret, "no scheme": secret, "nothing": "", "only a scheme": "Bearer ",
	} {
		l.look("/api/v1/tasks", "Authorization", header).refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	l.look("/api/v1/tasks", "Authorization", "bearer "+secret).is(http.StatusOK)
	typo := secret[:20] + "2" + secret[21:]
	if typo == secret {
		typo = secret[:20] + "3" + secret[21:]
	}
	for range 20 {
		r := l.as(typo).look("/api/v1/tasks")
		r.refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")
		if got := r.header.Get("WWW-Authenticate"); !strings.Contains(got, "invalid_token") {
			t.Fatalf("WWW-Authenticate = %q", got)
		}
	}
	r := l.as(typo).look("/api/v1/tasks")
	r.refuses(http.StatusTooManyRequests, "TOO_MANY_WRONG_KEYS")
	if r.header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After = %q", r.header.Get("Retry-After"))
	}
	l.as(secret).look("/api/v1/tasks").is(http.StatusOK)
}

// TestAKeyHasNoPlaceInAnAddress: a request with an API key in its URL is rejected, and the key is not
// logged.
func TestAKeyHasNoPlaceInAnAddress(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Admin)
	for _, path := range []string{
		"/api/v1/tasks?key=" + secret, "/api/v1/tasks?access_token=x", "/api/v1/tasks?api_key=x",
		"/api/v1/tasks?q=%72" + secret[1:], "/?key=" + secret, "/healthz?" + secret, "/nothing?x=" + secret,
	} {
		if r := l.as(secret).look(path); r.status != http.StatusBadRequest {
			t.Errorf("%s answered %d: %s", path, r.status, r.body)
		}
	}
	l.look("/api/v1/tasks?api_key=x").refuses(http.StatusBadRequest, "API_KEY_IN_ADDRESS", "Bearer")
	if strings.Contains(l.log.String(), secret[:20]) {
		t.Errorf("logged: %s", l.log)
	}
}

// refusedAlike checks that requests for objects of others are answered like those for objects that
// do not exist.
func (l *lab) refusedAlike(method, at, nowhere, body string) {
	l.t.Helper()
	var answers []string
	for _, path := range []string{at, nowhere} {
		header := []string{"Content-Type", jsonType, "If-Match", `"1"`}
		send := body
		if strings.HasSuffix(path, "/corrections") {
			send, header[1] = form(file("a.csv", rows(1))), multipartType
		}
		if method == http.MethodPatch && strings.Contains(path, "/uploads/") {
			header[1] = partType
		}
		r := l.call(method, path, send, header...)
		if method == http.MethodHead {
			if r.status != http.StatusNotFound {
				l.t.Errorf("HEAD %s answered %d", path, r.status)
			}
			continue
		}
		if r.status != http.StatusNotFound {
			l.t.Errorf("%s %s answered %d: %s", method, path, r.status, r.body)
			return
		}
		answers = append(answers, strings.NewReplacer(path, "", r.header.Get("X-Request-Id"), "").Replace(r.body))
	}
	if len(answers) == 2 && answers[0] != answers[1] {
		l.t.Errorf("%s %s tells %s, elsewhere %s", method, at, answers[0], answers[1])
	}
}

// TestARevokedKeyIsOutAtOnce: a revoked key also ends open streams and waiting polls.
func TestARevokedKeyIsOutAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, admin := l.member("default", access.Admin)
	id, secret := l.member("default", access.Viewer)
	task := l.as(admin).accepted("a.csv", rows(1), "")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.url+"/api/v1/tasks/"+task+"/stream", nil)
	fine(t, err)
	req.Header.Set("Authorization", "Bearer "+secret)
	stream, err := watch{t}.RoundTrip(req)
	fine(t, err)
	defer stream.Body.Close()
	if _, err := io.ReadFull(stream.Body, make([]byte, 10)); err != nil || stream.StatusCode != http.StatusOK {
		t.Fatal(stream.StatusCode, err)
	}
	answer := make(chan reply)
	go func() {
		r, err := l.as(secret).try(http.MethodGet, "/api/v1/tasks/"+task+"?wait=30", nil)
		if err != nil {
			t.Error(err)
		}
		answer <- r
	}()
	l.as(admin).call(http.MethodDelete, keysPath+"/"+id, "").is(http.StatusNoContent)
	l.as(secret).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	(<-answer).refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	if _, err := io.Copy(io.Discard, stream.Body); err != nil { // the stream ends
		t.Error(err)
	}
	log, _ := l.as(admin).look(keysPath + "/" + id + "/audit").items()
	if len(log) != 2 || log[0]["act"] != "revoke" || log[1]["by"] != "test" {
		t.Errorf("audit = %v", log)
	}
}

func TestARotatedKey(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id, first := l.member("default", access.Admin)
	path := keysPath + "/" + id + "/rotate"
	r := l.as(first).call(http.MethodPost, path, "")
	r.is(http.StatusOK)
	second := r.object()["secret"].(string)
	l.as(first).look(keysPath).is(http.StatusOK)
	l.as(second).look(keysPath).is(http.StatusOK)
	l.pass(24 * time.Hour)
	l.as(first).look(keysPath).refuses(http.StatusUnauthorized, "API_KEY_EXPIRED")
	l.as(second).postTo(path, `{"grace_s":0}`).is(http.StatusOK)
	l.as(second).look(keysPath).refuses(http.StatusUnauthorized, "API_KEY_EXPIRED")
}

func TestKeysThatCannotBeMade(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, body := range []string{
		`{"role":"admin"}`, `{"name":"x"}`, `{"name":"x","role":"root"}`, `{"name":7,"role":"admin"}`,
		`{"name":"x","role":"admin","expires_at":"tomorrow"}`, `{"name":"x","role":"admin","tenant":"other"}`,
		`{"name":"x","role":"admin","expires_at":"2020-01-01T00:00:00Z"}`,
	} {
		l.postTo(keysPath, body).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	}
	for _, body := range []string{`{"grace_s":-1}`, `{"grace_s":99999999}`, `{"x":1}`} {
		l.postTo(keysPath+"/key_x/rotate", body).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	}
	l.postTo(keysPath+"/key_x/rotate", "{}").refuses(http.StatusNotFound, "NOT_FOUND")
	l.look("/api/v1/tasks").is(http.StatusOK) // there is still no key
}
