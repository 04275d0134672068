package web_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// slow matches requests that take long by design.
var slow = regexp.MustCompile(`(?i)wait *= *"?0*[1-9]|/stream`)

// kept counts what a request may leave stored.
const kept = `SELECT (SELECT count(*) FROM rollcall.tasks) || ' ' || (SELECT count(*) FROM rollcall.events) || ' ' ||
	(SELECT count(*) FROM rollcall.webhooks) || ' ' || (SELECT count(*) FROM rollcall.api_keys) || ' ' ||
	(SELECT count(*) FROM rollcall.limits) || ' ' || (SELECT count(*) FROM rollcall.audit_log WHERE subject LIKE 'task:%') || ' ' ||
	(SELECT count(*) FROM rollcall.idempotency WHERE status = 0)`

func (l *lab) kept() string {
	l.t.Helper()
	var text string
	fine(l.t, l.db.Read.Raw(kept).Scan(&text).Error)
	files, err := os.ReadDir(l.folder)
	fine(l.t, err)
	return fmt.Sprintf("%s, %d files", text, len(files))
}

// fuzzSeeds lists requests that get past the first checks: method, target, headers, body.
func fuzzSeeds(id string) [][4]string {
	good := form(field("kind", "products.import"), file("a.csv", rows(2)))
	multi := "Content-Type: " + multipartType
	return [][4]string{
		{"GET", "/api/v1/tasks?limit=2&cursor=Mg.abc&status=open&kind=x", "If-None-Match: \"1\"", ""},
		{"GET", "/api/v1/tasks?cursor=AAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAA", "X: y", ""},
		{"GET", "/api/v1/tasks/" + id + "?wait=0", "If-None-Match: W/\"1\", *", ""},
		{"GET", "/api/v1/tasks/" + id + "/events?status=failed,error&row_gte=1&key=S1&code=X&column=Y", "Accept: */*", ""},
		{"HEAD", "/api/v1/tasks/" + id + "/errors?limit=1", "X-Request-Id: a", ""},
		{"GET", "/api/v1/tasks/" + id + "/error-groups", "Range: bytes=0-1", ""},
		{"GET", "/api/v1/tasks/" + id + "/result?format=csv&only=failed", "X: y", ""},
		{"GET", "/api/v1/events/" + id + ".1", "X: y", ""},
		{"GET", "/api/v1/events/" + id + ".99999999999999999999", "X: y", ""},
		{"GET", "/api/v1/kinds/products.import%00", "X: y", ""},
		{"GET", "/tasks/" + id + "?code=A&column=%ff", "Accept: text/html", ""},
		{"GET", "/?cursor=_w", "Accept: text/html", ""},
		{"POST", "/api/v1/tasks", multi + "\r\nIdempotency-Key: \"k\"\r\nPrefer: wait=0", good},
		{"POST", "/api/v1/tasks", multi, form(field("kind", "products.import"), field("options", `{"mapping":{"SKU":""}}`), file("\xff/..", "a,b\n1\x00"))},
		{"POST", "/api/v1/tasks", "Content-Type: multipart/form-data; boundary=\"\"", good},
		{"POST", "/api/v1/tasks", "Content-Type: application/json\r\nIdempotency-Key: k", `{"kind":"products.import","rows":[{"SKU":"a","SKU":1e999}]}`},
		{"POST", "/api/v1/tasks/" + id + "/resubmit", "Content-Type: application/json", `{"filter":{},"patch":{"set":{"Name":"x"}}}`},
		{"POST", "/api/v1/tasks/" + id + "/pause", "Idempotency-Key: \"", "{}"},
		{"POST", "/api/v1/webhooks", "Content-Type: application/json", `{"url":"http://0x7f.1/"}`},
		{"PATCH", "/api/v1/events/" + id + ".1", "If-Match: \"1\"\r\nContent-Type: application/json", `{"params":{"Price":null}}`},
		{"PUT", "/api/v1/tenants/default/limits", "Content-Type: application/json", `{"slots":1e999}`},
		{"POST", "/imports", multi, good[:80]},
		{"DELETE", "/api/v1/tasks/..%2f..", "Origin: null", "{}"},
		{"OPTIONS", "*", "Expect: 100-continue", ""},
	}
}

// FuzzRequests: no request causes a system error. A refusal has a known code, and leaves nothing
// stored.
func FuzzRequests(f *testing.F) {
	l := newLab(f)
	id := l.accepted("a.csv", rows(5), "")
	l.split()
	_, secret, err := l.opt.Access.Create(f.Context(), "test", access.Draft{Tenant: "default", Name: "a", Role: access.Admin})
	fine(f, err)
	for _, s := range fuzzSeeds(id) {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, method, target, header, body string) {
		if slow.MatchString(target) || slow.MatchString(header) {
			return // waiting is tested elsewhere
		}
		l := l.in(t)
		raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n\r\n%s",
			method, target, secret, len(body), header, body)
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return // net/http rejects it before the service
		}
		before := l.kept()
		w := httptest.NewRecorder()
		l.api.ServeHTTP(w, req.WithContext(t.Context()))
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
		if w.Code >= 400 {
			l.refused(w, strings.HasPrefix(req.URL.Path, "/api/"))
			if after := l.kept(); after != before {
				t.Errorf("%d, and there are %s, were %s", w.Code, after, before)
			}
		}
		if faults := l.faults(); len(faults) > 0 {
			t.Errorf("logged: %s", faults)
		}
	})
}

// refused checks the answer of a refusal.
func (l *lab) refused(w *httptest.ResponseRecorder, api bool) {
	l.t.Helper()
	if media := w.Header().Get("Content-Type"); media != "application/problem+json" {
		if api {
			l.t.Errorf("%d is told as %q: %s", w.Code, media, w.Body)
		}
		return
	}
	var p struct{ Code, Detail, Title string }
	err := json.Unmarshal(w.Body.Bytes(), &p)
	if err != nil || !slices.Contains(web.Codes(), p.Code) || p.Detail == "" || p.Title == "" {
		l.t.Errorf("%d %s, %v", w.Code, w.Body, err)
	}
}
