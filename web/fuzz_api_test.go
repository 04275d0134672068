package web_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzRequests: whatever comes, nothing breaks on our side.
func FuzzRequests(f *testing.F) {
	l := newLab(f)
	id := l.accepted("a.csv", rows(5), "")
	l.split()
	good := form(field("kind", "products.import"), file("a.csv", rows(2)))
	type seed struct{ method, target, header, body string }
	for _, s := range []seed{
		{"GET", "/api/v1/tasks?limit=2&cursor=Mg.abc&status=open&kind=x", "If-None-Match: \"1\"", ""},
		{"GET", "/api/v1/tasks/ID?wait=0", "If-None-Match: W/\"1\", *", ""},
		{"GET", "/api/v1/tasks/ID/events?status=failed,error&row_gte=1&key=S1&code=X&column=Y", "Accept: */*", ""},
		{"HEAD", "/api/v1/tasks/ID/errors?limit=1", "X-Request-Id: a", ""},
		{"GET", "/api/v1/tasks/ID/error-groups", "Range: bytes=0-1", ""},
		{"GET", "/api/v1/tasks/ID/result?format=csv&only=failed", "X: y", ""},
		{"GET", "/api/v1/events/ID.1", "X: y", ""},
		{"GET", "/api/v1/events/ID.99999999999999999999", "X: y", ""},
		{"GET", "/api/v1/kinds/products.import%00", "X: y", ""},
		{"GET", "/tasks/ID?code=A&column=%ff", "Accept: text/html", ""},
		{"GET", "/?cursor=_w", "Accept: text/html", ""},
		{"POST", "/api/v1/tasks", "Content-Type: " + multipartType, good},
		{"POST", "/api/v1/tasks", "Content-Type: " + multipartType, form(field("kind", "products.import"), field("options", `{"mapping":{"SKU":""}}`), file("\xff/..", "a,b\n1\x00"))},
		{"POST", "/api/v1/tasks", "Content-Type: multipart/form-data; boundary=\"\"", good},
		{"POST", "/imports", "Content-Type: " + multipartType, good[:80]},
		{"DELETE", "/api/v1/tasks/..%2f..", "Origin: null", "{}"},
		{"OPTIONS", "*", "Expect: 100-continue", ""},
	} {
		f.Add(s.method, strings.ReplaceAll(s.target, "ID", id), s.header, s.body)
	}
	f.Fuzz(func(t *testing.T, method, target, header, body string) {
		if strings.Contains(target, "wait=") && !strings.Contains(target, "wait=0") {
			return // waiting is slow, and tested elsewhere
		}
		raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n\r\n%s",
			method, target, len(body), header, body)
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return // net/http refuses it before us
		}
		w := httptest.NewRecorder()
		l.api.ServeHTTP(w, req.WithContext(t.Context()))
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
		if log := l.log.String(); log != "" {
			t.Errorf("logged: %s", log)
		}
	})
}
