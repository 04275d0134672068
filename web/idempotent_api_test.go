package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// again sends a request with a key.
func (l *lab) again(key, path, media, body string) reply {
	l.t.Helper()
	header := []string{"Idempotency-Key", key}
	if media != "" {
		header = append(header, "Content-Type", media)
	}
	return l.call(http.MethodPost, "/api/v1"+path, body, header...)
}

// replays compares a response with the first one.
func (r reply) replays(first reply) {
	r.t.Helper()
	if r.header.Get("Idempotency-Replayed") != "true" || first.header.Get("Idempotency-Replayed") != "" {
		r.t.Errorf("not replayed: %v", r.header)
	}
	if r.status != first.status || r.body != first.body {
		r.t.Errorf("got %d %s\nfirst %d %s", r.status, r.body, first.status, first.body)
	}
	for _, name := range []string{"Content-Type", "Location", "Retry-After", "ETag", "Content-Language"} {
		if r.header.Get(name) != first.header.Get(name) {
			r.t.Errorf("%s is %q, was %q", name, r.header.Get(name), first.header.Get(name))
		}
	}
}

func (l *lab) has(tasks int) {
	l.t.Helper()
	if list, _ := l.look("/api/v1/tasks").items(); len(list) != tasks {
		l.t.Errorf("%d tasks, want %d", len(list), tasks)
	}
}

// becomes waits until a query of the ledger is true.
func (l *lab) becomes(sql string) {
	l.t.Helper()
	if !testenv.Await(time.Minute, func() (yes bool) {
		fine(l.t, l.db.Read.Raw(sql).Scan(&yes).Error)
		return yes
	}) {
		l.t.Fatalf("never true: %s", sql)
	}
}

// TestARepeatedRequestIsAnsweredAgain: another process answers with the same bytes, and the
// request is done once.
func TestARepeatedRequestIsAnsweredAgain(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		other := l.twin()
		kind := field("kind", "products.import")
		whole := form(kind, file("a.csv", rows(3)))
		first := l.again("one", "/tasks", multipartType, whole)
		first.is(http.StatusAccepted)
		other.again("one", "/tasks", multipartType, whole).replays(first)
		newCut := strings.ReplaceAll(whole, "--frontier", "--another-one")
		other.again(`"one"`, "/tasks", "multipart/form-data; boundary=another-one", newCut).replays(first)
		for name, r := range map[string]reply{
			"another body":  other.again("one", "/tasks", multipartType, form(kind, file("a.csv", rows(4)))),
			"a longer body": other.again("one", "/tasks", multipartType, whole+" "),
			"another path":  l.again("one", "/webhooks/callback-secret", "", ""),
			"another query": l.again("one", "/tasks?x=1", multipartType, whole),
			"another type":  l.again("one", "/tasks", "application/x-ndjson", whole),
		} {
			if r.refuses(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED"); r.header.Get("Idempotency-Replayed") != "" {
				t.Errorf("%s: replayed", name)
			}
		}
		l.has(1)
		rowsBody := `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":"1"}]}`
		first = l.again("two", "/tasks", jsonType, rowsBody)
		first.is(http.StatusAccepted)
		other.again("two", "/tasks", jsonType, rowsBody).replays(first)
		wrong := l.again("three", "/tasks", jsonType, `{"kind":"no.such"}`)
		wrong.refuses(http.StatusUnprocessableEntity, "UNKNOWN_KIND")
		other.again("three", "/tasks", jsonType, `{"kind":"no.such"}`).replays(wrong)
		l.has(2)
		l.pass(24*time.Hour + time.Second)
		l.again("one", "/tasks", multipartType, whole).is(http.StatusAccepted)
		l.has(3)
	})
}

// TestEveryPostMayBeRepeated: the second request has no effect.
func TestEveryPostMayBeRepeated(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	open := l.call(http.MethodPost, "/api/v1/tasks", `{"kind":"products.import","open":true}`, "Content-Type", jsonType)
	id := text(open.object()["id"])
	jobs := `{"rows":[{"SKU":"A","Name":"a","Price":"1"},{"SKU":""},{"SKU":"B","Name":"b","Price":"1"}]}`
	for _, one := range []struct{ path, media, body string }{
		{"/tasks/" + id + "/jobs", jsonType, jobs},
		{"/tasks/" + id + "/pause", "", ""},
		{"/tasks/" + id + "/resume", "", ""},
		{"/tasks/" + id + "/close", "", ""},
		{"/tasks/" + id + "/skip", jsonType, `{"filter":{}}`},
		{"/tasks/" + id + "/resubmit", jsonType, `{"filter":{}}`},
		{"/imports/preview", multipartType, form(field("kind", "products.import"), file("a.csv", rows(1)))},
		{"/tasks/" + id + "/cancel", "", ""},
	} {
		first := l.again("key of "+one.path, one.path, one.media, one.body)
		if first.status >= 300 {
			t.Errorf("%s: %d %s", one.path, first.status, first.body)
		}
		l.again("key of "+one.path, one.path, one.media, one.body).replays(first)
	}
	if total := l.task(id).Total; total != 2 {
		t.Errorf("%d rows, want 2", total)
	}
	twice := l.again("again", "/tasks/"+id+"/cancel", "", "")
	twice.refuses(http.StatusConflict, "WRONG_STATUS")
	l.again("again", "/tasks/"+id+"/cancel", "", "").replays(twice)
}

// TestKeysThatAreNone: invalid keys are refused before the request has an effect.
func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := `{"kind":"products.import","open":true}`
	for _, key := range []string{"", `""`, `"a`, `a"`, "é", `a\b`, strings.Repeat("x", 256)} {
		l.again(key, "/tasks", jsonType, body).refuses(http.StatusBadRequest, "IDEMPOTENCY_KEY_INVALID")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/api/v1/tasks", strings.NewReader(body))
	fine(t, err)
	req.Header["Idempotency-Key"] = []string{"a", "b"}
	res, err := watch{t}.RoundTrip(req)
	fine(t, err)
	if fine(t, res.Body.Close()); res.StatusCode != http.StatusBadRequest {
		t.Errorf("two keys: %d", res.StatusCode)
	}
	l.nothingLeft()
	l.look("/api/v1/tasks", "Idempotency-Key", `"`).is(http.StatusOK)
	l.again(strings.Repeat("x", 255), "/tasks", jsonType, body).is(http.StatusAccepted)
}

// TestOneOfManyIsDone: of many simultaneous requests one is done, and the others wait for it.
func TestOneOfManyIsDone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	labs := []*lab{l, l.twin()}
	body := form(field("kind", "products.import"), file("a.csv", rows(3)))
	answers := make([]reply, 12)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			for {
				r, err := labs[i%2].try(http.MethodPost, "/api/v1/tasks", strings.NewReader(body),
					"Content-Type", multipartType, "Idempotency-Key", "k")
				if answers[i] = r; err != nil || r.status != http.StatusConflict {
					return
				}
				if r.refuses(http.StatusConflict, "IDEMPOTENCY_IN_FLIGHT"); r.header.Get("Retry-After") != "1" {
					t.Errorf("Retry-After %q", r.header.Get("Retry-After"))
				}
			}
		})
	}
	wg.Wait()
	first := slices.IndexFunc(answers, func(r reply) bool { return r.header.Get("Idempotency-Replayed") == "" })
	for i, r := range answers {
		if i != first {
			r.replays(answers[first])
		}
	}
	l.has(1)
}

// TestAStalledRequestIsTakenOver: the first process, which continues too late, changes nothing.
func TestAStalledRequestIsTakenOver(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := form(field("kind", "products.import"), file("a.csv", rows(3)))
	r, w := io.Pipe()
	late := make(chan reply)
	go func() {
		answer, err := l.try(http.MethodPost, "/api/v1/tasks", r, "Content-Type", multipartType, "Idempotency-Key", "k")
		if err != nil {
			t.Error(err)
		}
		late <- answer
	}()
	_, err := io.WriteString(w, body[:40])
	fine(t, err)
	l.becomes("SELECT count(*) = 1 FROM rollcall.idempotency")
	l.again("k", "/tasks", multipartType, body).refuses(http.StatusConflict, "IDEMPOTENCY_IN_FLIGHT")
	l.pass(time.Minute)
	first := l.twin().again("k", "/tasks", multipartType, body)
	first.is(http.StatusAccepted)
	_, err = io.WriteString(w, body[40:])
	fine(t, err)
	fine(t, w.Close())
	answer := <-late
	answer.t = t
	answer.refuses(http.StatusConflict, "IDEMPOTENCY_IN_FLIGHT")
	l.again("k", "/tasks", multipartType, body).replays(first)
	l.has(1)
	if files, err := listDir(l.folder); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v, want that of the task", len(files), err)
	}
}

// TestAnswersThatMayBeBetterAreNotKept: answers of system errors, and of requests that were not
// read to the end, are not stored.
func TestAnswersThatMayBeBetterAreNotKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := form(field("kind", "products.import"), file("a.csv", rows(3)))
	gone := *l
	gone.opt.Ready = func(context.Context) error { return io.ErrUnexpectedEOF }
	gone.serve()
	gone.again("j", "/tasks", multipartType, body).refuses(http.StatusServiceUnavailable, "UNAVAILABLE")
	l.again("j", "/tasks", multipartType, body).is(http.StatusAccepted)
	large := strings.Repeat("x", 10<<20)
	l.again("k", "/tasks", jsonType, `{"kind":"`+large+`"}`).refuses(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
	l.again("k", "/tasks", jsonType, `{"kind":"products.import","open":true}`).is(http.StatusAccepted)
}

// TestSecretsAreNotKept: only the first response shows the secret.
func TestSecretsAreNotKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, one := range []struct{ path, media, body string }{
		{"/webhooks", jsonType, `{"url":"https://example.com/x"}`},
		{"/webhooks/callback-secret", "", ""},
		{"/keys", jsonType, `{"name":"a","role":"admin"}`},
	} {
		first := l.again("key "+one.path, one.path, one.media, one.body)
		first.is(http.StatusCreated)
		secret := text(first.object()["secret"])
		if one.path == "/keys" {
			l.secret = secret
		}
		r := l.again("key "+one.path, one.path, one.media, one.body)
		if r.refuses(http.StatusConflict, "SECRET_SHOWN_ONCE"); r.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s: %v", one.path, r.header)
		}
		var n int64
		fine(t, l.db.Read.Raw("SELECT count(*) FROM rollcall.idempotency WHERE head LIKE ? AND length(body) < 30", `%"secret":true%`).Scan(&n).Error)
		if secret == "" || n == 0 {
			t.Errorf("%s: secret %q, %d answers without it", one.path, secret, n)
		}
	}
	if list, _ := l.look("/api/v1/webhooks").items(); len(list) != 1 {
		t.Errorf("%d webhooks, want 1", len(list))
	}
	key, _ := l.look("/api/v1/keys").items()
	path := "/keys/" + text(key[0]["id"]) + "/rotate"
	l.again("r", path, "", "").is(http.StatusOK)
	l.again("r", path, "", "").refuses(http.StatusConflict, "SECRET_SHOWN_ONCE")
}

// TestKeysOfTenantsAreApart: no tenant receives the stored response of another, or learns that it exists. Another
// API key of the same tenant receives the response.
func TestKeysOfTenantsAreApart(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	labs := map[string]*lab{}
	for name, tenant := range map[string]string{"a": "acme", "a2": "acme", "g": "globex"} {
		_, secret, err := l.opt.Access.Create(t.Context(), "test", access.Draft{Tenant: tenant, Name: name, Role: access.Admin})
		fine(t, err)
		labs[name] = l.in(t)
		labs[name].secret, labs[name].tenant = secret, tenant
	}
	body := `{"kind":"products.import","open":true}`
	acme, globex := labs["a"].again("k", "/tasks", jsonType, body), labs["g"].again("k", "/tasks", jsonType, body)
	acme.is(http.StatusAccepted)
	globex.is(http.StatusAccepted)
	if acme.object()["id"] == globex.object()["id"] || globex.header.Get("Idempotency-Replayed") != "" {
		t.Error("two tenants have the same task")
	}
	labs["a2"].again("k", "/tasks", jsonType, body).replays(acme)
	l.again("k", "/tasks", jsonType, body).refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
}

// TestAnUploadThatBrokeOff: the whole upload is sent again with the same key, and is the same
// request.
func TestAnUploadThatBrokeOff(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for name, tt := range map[string]struct{ media, body string }{
		"form": {multipartType, form(field("kind", "products.import"), file("a.csv", rows(9)))},
		"json": {jsonType, `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":"1"}]}`},
	} {
		before := l.ended.Load()
		w := l.dial()
		w.say(fmt.Sprintf("POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %s\r\n"+
			"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", name, tt.media, len(tt.body), tt.body[:len(tt.body)/2]))
		fine(t, w.Close())
		for l.ended.Load() == before {
			runtime.Gosched()
		}
		l.again(name, "/tasks", tt.media, tt.body).is(http.StatusAccepted)
	}
}
