package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// TestBadAPIRequests tests entries 58 to 65 of faults.md that need one request. A refused request
// leaves nothing stored.
func TestBadAPIRequests(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	row := func(text string) string { return `{"kind":"products.import","rows":[` + text + `]}` }
	for _, tt := range []struct {
		name, path, body string
		status           int
		code             string
	}{
		{"58 depth in a member", "/tasks", `{"kind":` + deep + `}`, 422, "INVALID_FIELD"},
		{"58 depth in a row", "/tasks", row(`{"SKU":` + deep + `}`), 400, "MALFORMED_JSON"},
		{"58 depth in options", "/tasks", `{"kind":"products.import","open":true,"options":{"labels":[[[[[[[1]]]]]]]}}`, 422, "INVALID_OPTIONS"},
		{"58 depth in a small request", "/webhooks", `{"url":` + deep + `}`, 400, "MALFORMED_JSON"},
		{"58 a key twice", "/tasks", `{"kind":"a","kind":"products.import"}`, 400, "INVALID_FIELD"},
		{"58 a key twice in a row", "/tasks", row(`{"SKU":"a","SKU":"b"}`), 422, "DUPLICATE_FIELD"},
		{"58 a key twice in a small request", "/webhooks", `{"url":"https://a.example","url":"https://b.example"}`, 400, "MALFORMED_JSON"},
		{"58 a number without end", "/tasks", `{"kind":"products.import","open":true,"priority":1e999}`, 422, "INVALID_FIELD"},
		{"58 a number without end in a small request", "/keys/x/rotate", `{"grace_s":1e999}`, 422, "INVALID_FIELD"},
		{"58 an unknown field", "/tasks", `{"kind":"products.import","open":true,"colour":1}`, 422, "INVALID_FIELD"},
		{"58 an unknown field of a small request", "/webhooks", `{"uri":"https://a.example"}`, 422, "INVALID_FIELD"},
		{"58 no object", "/tasks", `[]`, 400, "MALFORMED_JSON"},
		{"58 not UTF-8", "/tasks", "{\"kind\":\"\xff\"}", 400, "INVALID_FIELD"},
		{"62 loopback", "/webhooks", `{"url":"http://127.0.0.1/"}`, 422, "INVALID_FIELD"},
		{"62 loopback, IPv6", "/webhooks", `{"url":"http://[::1]/"}`, 422, "INVALID_FIELD"},
		{"62 private", "/webhooks", `{"url":"http://10.1.2.3/"}`, 422, "INVALID_FIELD"},
		{"62 link-local", "/webhooks", `{"url":"http://169.254.169.254/latest"}`, 422, "INVALID_FIELD"},
		{"62 loopback in hex", "/webhooks", `{"url":"http://0x7f.1/"}`, 422, "INVALID_FIELD"},
		{"62 a file", "/webhooks", `{"url":"file:///etc/passwd"}`, 422, "INVALID_FIELD"},
		{"63 a key in the address", "/tasks?api_key=x", `{"kind":"products.import","open":true}`, 400, "API_KEY_IN_ADDRESS"},
		{"65 line breaks in a name", "/tasks", `{"kind":"products.import","open":true,"name":"a\r\nSet-Cookie: b"}`, 422, "INVALID_NAME"},
		{"65 line breaks in a header that is told", "/tasks", `{"kind":"a\r\nX-Evil: 1"}`, 422, "UNKNOWN_KIND"},
		{"65 line breaks in a parameter", "/tasks?x=%0d%0aX-Evil:1", `{"kind":"a"}`, 400, "INVALID_PARAMETER"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			r := l.call(http.MethodPost, "/api/v1"+tt.path, tt.body, "Content-Type", jsonType)
			r.refuses(tt.status, tt.code)
			if r.header.Get("X-Evil") != "" {
				t.Errorf("a header of the caller's: %v", r.header)
			}
			l.nothingLeft()
		})
	}
	if faults := l.faults(); len(faults) > 0 {
		t.Errorf("logged: %s", faults)
	}
}

// TestCrossTenantsAndForgery tests entries 59, 60, 61 and 64 of faults.md.
func TestCrossTenantsAndForgery(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(2), "")
	_, secret, err := l.opt.Access.Create(t.Context(), "test", access.Draft{Tenant: "globex", Name: "g", Role: access.Admin})
	fine(t, err)
	t.Run("59 another tenant's id is as one that is unknown", func(t *testing.T) {
		g := l.in(t)
		g.secret = secret
		unknown := strings.ReplaceAll(g.look("/api/v1/tasks/"+unknownID, "X-Request-Id", "r").body, unknownID, id)
		theirs := g.look("/api/v1/tasks/"+id, "X-Request-Id", "r")
		if theirs.refuses(http.StatusNotFound, "NOT_FOUND"); theirs.body != unknown {
			t.Errorf("%s\n%s", theirs.body, unknown)
		}
	})
	t.Run("60 a page of 10^9 rows, a cursor of nobody's", func(t *testing.T) {
		g := l.in(t)
		g.secret = secret
		g.look("/api/v1/tasks?limit=1000000000").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
		g.look("/api/v1/tasks?cursor=MQ").refuses(http.StatusBadRequest, "BAD_CURSOR")
	})
	t.Run("61 a key with another body", func(t *testing.T) {
		g := l.in(t)
		g.secret = secret
		g.again("k", "/tasks", jsonType, `{"kind":"products.import","open":true}`).is(http.StatusAccepted)
		g.again("k", "/tasks", jsonType, `{"kind":"products.import","open":true }`).
			refuses(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
	})
	t.Run("64 a session from another site", func(t *testing.T) {
		g := l.in(t)
		r := g.call(http.MethodPost, "/api/v1/tasks/"+id+"/pause", "", "Cookie", "rollcall_session=x")
		r.refuses(http.StatusForbidden, "CROSS_ORIGIN")
		r = g.call(http.MethodPost, "/api/v1/tasks/"+id+"/pause", "", "Cookie", "rollcall_session=x", "Origin", "https://evil.example")
		r.refuses(http.StatusForbidden, "CROSS_ORIGIN")
	})
}

// TestABodyThatEndsBadly: a complete form that is followed by an invalid chunk is rejected.
func TestABodyThatEndsBadly(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(2), "")
	l.split()
	before := l.log.String() // the log may have a line about a timed-out wake-up of the splitter
	whole := form(file("a.csv", rows(2)))
	for _, path := range []string{"/tasks", "/imports/preview", "/tasks/" + id + "/corrections"} {
		w := l.dial()
		w.say("POST /api/v1" + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + multipartType +
			"\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks(whole) + "no size\r\n")
		w.hears().refuses(http.StatusBadRequest, "MALFORMED_BODY")
	}
	if log := l.log.String(); log != before {
		t.Errorf("logged: %s", log)
	}
}

// TestRefused_ClientStillSends_ConnectionStaysOpen: the client has the whole answer at once, and may send
// the rest of its body, also after status 100. net/http alone would close the connection after half a
// second.
func TestRefused_ClientStillSends_ConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	part := strings.Repeat("x", 300<<10)
	for name, tt := range map[string]struct {
		expects    string
		path, body string // the beginning of the body
		code       string
	}{
		"at once":   {"", "/queues/products/pause", part, "UNEXPECTED_BODY"},
		"after 100": {"Expect: 100-continue\r\n", "/tasks", field("kind", "nope.import") + file("a.csv", part), "UNKNOWN_KIND"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.url, "http://"))
			fine(t, err)
			defer func() { _ = conn.Close() }()
			fine(t, conn.SetDeadline(time.Now().Add(4*time.Second))) // the server reads for 5 seconds
			_, err = fmt.Fprintf(conn, "POST /api/v1%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n",
				tt.path, multipartType, tt.expects, len(tt.body)+len(part))
			fine(t, err)
			in := bufio.NewReader(conn)
			if tt.expects != "" {
				res, err := http.ReadResponse(in, nil)
				fine(t, err)
				if res.StatusCode != http.StatusContinue {
					t.Fatalf("status %d before the body, want 100", res.StatusCode)
				}
			}
			_, err = io.WriteString(conn, tt.body)
			fine(t, err)
			res, err := http.ReadResponse(in, nil)
			fine(t, err)
			body, err := io.ReadAll(res.Body)
			fine(t, err)
			if res.StatusCode < http.StatusBadRequest || !strings.Contains(string(body), tt.code) {
				t.Fatalf("%d %s", res.StatusCode, body)
			}
			time.Sleep(700 * time.Millisecond)
			for range 3 { // the first write to a closed connection succeeds
				_, err = io.WriteString(conn, part[:100<<10])
				fine(t, err)
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
}

// TestTooLargeIsRefusedBeforeItIsRead: the service answers before the body has
// been sent.
func TestTooLargeIsRefusedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	for _, tt := range []struct{ method, path, media, code string }{
		{"POST", "/tasks", multipartType, "FILE_TOO_LARGE"},
		{"POST", "/tasks", jsonType, "BODY_TOO_LARGE"},
		{"POST", "/tasks?kind=products.import", "application/x-ndjson", "FILE_TOO_LARGE"},
		{"POST", "/imports/preview", multipartType, "FILE_TOO_LARGE"},
		{"POST", "/webhooks", jsonType, "BODY_TOO_LARGE"},
		{"POST", "/keys", jsonType, "BODY_TOO_LARGE"},
		{"PUT", "/tenants/default/limits", jsonType, "BODY_TOO_LARGE"},
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.url, "http://"))
		fine(t, err)
		_, err = fmt.Fprintf(conn, "%s /api/v1%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 900000000\r\n\r\n",
			tt.method, tt.path, tt.media)
		fine(t, err)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		fine(t, err)
		body, err := io.ReadAll(res.Body)
		fine(t, err)
		fine(t, conn.Close())
		if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(body), tt.code) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, res.StatusCode, body)
		}
	}
	l.nothingLeft()
}
