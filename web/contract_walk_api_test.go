package web_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// walk is a test that sends every operation of the contract a request with the same kind of fault.
type walk struct {
	*lab
	ids map[string]string // for the parameters of paths
}

// newWalk creates an object of each kind that a URL can name.
func newWalk(t *testing.T, tune ...func(*web.Options)) *walk {
	t.Helper()
	l := newLab(t, append(tune, func(o *web.Options) {
		o.AllowPrivate, o.Metrics = true, metrics.New([]string{"products.import"}, nil).Handler()
	})...)
	hook := l.hook(`{"url":"https://example.com/x"}`)
	task := l.accepted("a.csv", rows(2), "")
	l.split()
	l.move(task, "failed", nil, 1)
	file := l.look("/api/v1/tasks/" + task).object()["source"].(map[string]any)["file_id"].(string)
	open := l.postTo("/api/v1/tasks", `{"kind":"products.import","open":true}`).object()["id"].(string)
	plan := l.schedule(`{}`)
	upload := strings.TrimPrefix(l.begins("a.csv", 10), "/api/v1/uploads/")
	key, _ := l.member("default", access.Admin)
	_, owner := l.owner()
	return &walk{owner, map[string]string{
		"{open}": "/tasks/" + open, "/tasks/{id}": "/tasks/" + task, "/events/{id}": "/events/" + task + ".1", "/files/{id}": "/files/" + file,
		"/webhooks/{id}": "/webhooks/" + hook, "/schedules/{id}": "/schedules/" + plan, "/keys/{id}": "/keys/" + key, "{delivery}": unknownID,
		"{kind}": "products.import", "{queue}": "products.import", "/nodes/{node}": "/nodes/n1", "{tenant}": "default", "/uploads/{id}": "/uploads/" + upload, "/mappings/{id}": "/mappings/" + unknownID, "{upload}": upload, "{file}": "style.css", "{seq}": "1",
	}}
}

// path returns the URL of an operation.
func (w *walk) path(op *operation) string {
	out := op.path
	if strings.HasSuffix(out, "/jobs") {
		out = strings.Replace(out, "/tasks/{id}", w.ids["{open}"], 1)
	}
	for name, id := range w.ids {
		out = strings.Replace(out, name, id, 1)
	}
	return out
}

// lists reports whether an operation declares a response.
func (op *operation) lists(status int, what string) bool {
	doc, ok := op.answers[status]
	_, media := doc.types[what]
	return ok && (media || slices.Contains(doc.codes, what))
}

// media returns the type of the body of an operation, with the example of the contract or a
// substitute.
func (op *operation) media() (media, body string) {
	def, _ := op.def["requestBody"].(map[string]any)
	content, _ := def["content"].(map[string]any)
	for _, media := range []string{"multipart/form-data", jsonType, "application/x-www-form-urlencoded", partType} {
		if _, ok := content[media]; !ok {
			continue
		}
		switch media {
		case "multipart/form-data":
			return multipartType, form(field("kind", "products.import"), file("a.csv", rows(1)))
		case partType:
			return partType, "x"
		case jsonType:
			text, err := json.Marshal(content[media].(map[string]any)["example"])
			if err != nil {
				panic(err) // it came as JSON
			}
			return media, string(text)
		}
		return media, op.form(content[media])
	}
	return "", ""
}

// form returns the body of a form with one field of an operation.
func (op *operation) form(content any) string {
	schema := content.(map[string]any)["schema"].(map[string]any)
	fields := schema["properties"].(map[string]any)
	for _, name := range []string{"key", "act", "kind", "theme", "superseded", "id"} {
		if _, ok := fields[name]; ok {
			return name + "=x"
		}
	}
	panic("no field of " + op.path + " is sent by the walk")
}

// request returns a valid request of an operation.
func (w *walk) request(op *operation) *http.Request {
	media, body := op.media()
	req := httptest.NewRequest(op.method, w.url+w.path(op), strings.NewReader(body))
	req = req.WithContext(w.t.Context())
	req.RequestURI = ""
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if media == partType {
		req.Header.Set("Upload-Offset", "0")
	}
	if op.method == http.MethodPatch {
		req.Header.Set("If-Match", `"1"`)
	}
	if w.secret != "" {
		req.Header.Set("Authorization", "Bearer "+w.secret)
	}
	return req
}

// visit sends a request, which must be refused. The client compares the response with the contract.
func (w *walk) visit(req *http.Request, op *operation, status int) {
	w.t.Helper()
	res, err := watch{w.t}.RoundTrip(req)
	if err != nil {
		w.t.Errorf("%s %s: %v", op.method, op.path, err)
		return
	}
	text, _ := io.ReadAll(res.Body) // of a page; the status shows whether the response is complete
	_ = res.Body.Close()
	if res.StatusCode != status {
		w.t.Errorf("%s %s answered %d, want %d: %.200s", op.method, op.path, res.StatusCode, status, text)
	}
}

// every visits all operations that list a response. For a status from 500, it leaves out /readyz and the
// sign-in through an identity provider.
func (w *walk) every(status int, what string, spoil func(*http.Request, *operation)) {
	w.t.Helper()
	for _, op := range contract().ops {
		if op.lists(status, what) && (status < 500 || op.path != "/readyz" && !strings.HasPrefix(op.path, "/sign-in/oidc")) {
			req := w.request(op)
			spoil(req, op)
			w.visit(req, op, status)
			if _, ok := contract().seen.Load(seenKey(op, status, what)); !ok {
				w.t.Errorf("%s %s did not answer %d with %s", op.method, op.path, status, what)
			}
		}
	}
}

func addQuery(text string) func(*http.Request, *operation) {
	return func(r *http.Request, _ *operation) { r.URL.RawQuery = text }
}

func setHeader(name, value string) func(*http.Request, *operation) {
	return func(r *http.Request, _ *operation) { r.Header.Set(name, value) }
}

// TestWalkWrongAddresses sends URLs with wrong values.
func TestWalkWrongAddresses(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	w.every(400, "INVALID_ADDRESS", addQuery("q=%ff"))
	w.every(400, "API_KEY_IN_ADDRESS", addQuery("api_key=x"))
	w.every(400, "INVALID_PARAMETER", func(r *http.Request, _ *operation) {
		r.URL.RawQuery = "limit=0&wait=31&format=pdf&only=x&zoom=1"
	})
	w.every(400, "BAD_CURSOR", addQuery("cursor=x"))
	w.every(421, "UNKNOWN_HOST", func(r *http.Request, _ *operation) { r.Host = "rollcall.example" })
	w.every(404, "NOT_FOUND", func(r *http.Request, op *operation) {
		if op.path == keysPath {
			r.URL.RawQuery = "tenant=no%20tenant"
		}
		for name, id := range w.ids {
			if _, last, _ := strings.Cut(strings.TrimPrefix(id, "/"), "/"); name != "{delivery}" && last != "" {
				r.URL.Path = strings.Replace(r.URL.Path, "/"+last, "/"+unknownID, 1)
			}
		}
		r.URL.Path = strings.NewReplacer("products.import", "nothing", "/tenants/default", "/tenants/no tenant").Replace(r.URL.Path)
	})
	w.every(403, "CROSS_ORIGIN", setHeader("Sec-Fetch-Site", "cross-site"))
	fine(t, w.db.Write.Exec("UPDATE rollcall.tasks SET status = 'finished', finished_at = 1, purged_at = 1").Error)
	w.every(410, "TASK_EXPIRED", func(*http.Request, *operation) {})
	for _, op := range contract().ops {
		if op.lists(410, "text/html") {
			w.visit(w.request(op), op, 410)
		}
		if op.lists(404, "text/html") && strings.Contains(op.path, "/tasks/") {
			req := w.request(op)
			req.URL.Path = strings.Replace(op.path, "{id}", unknownID, 1)
			w.visit(req, op, 404)
		}
	}
}

// TestWalkWrongKeys: each path refuses a wrong key.
func TestWalkWrongKeys(t *testing.T) {
	t.Parallel()
	w := newWalk(t, func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(workers.ImportProduct(), workers.ExportPromos(nil), worker.Define(patients, idle)))
	})
	ctx := t.Context()
	sensitive := w.look("/api/v1/tasks/" + w.imported("No,tel\nA,+14155550177\n")).object()["source"].(map[string]any)["file_id"].(string)
	_, viewer := w.member("default", access.Viewer)
	revoked, gone := w.member("default", access.Admin)
	fine(t, w.opt.Access.Revoke(ctx, "test", "default", revoked))
	_, old, err := w.opt.Access.Create(ctx, "test", access.Draft{
		Tenant: "default", Name: "old", Role: access.Admin, ExpiresAt: w.clock().Add(time.Hour),
	})
	fine(t, err)
	w.pass(2 * time.Hour)
	with := func(secret string) func(*http.Request, *operation) {
		return func(r *http.Request, _ *operation) {
			w.pass(2 * time.Minute) // so that earlier wrong keys do not limit the rate
			if r.Header.Set("Authorization", "Bearer "+secret); secret == "" {
				r.Header.Del("Authorization")
			}
		}
	}
	wrong := strings.Replace(old, old[12:20], "zzzzzzzz", 1)
	w.every(401, "API_KEY_REQUIRED", with(""))
	w.every(401, "API_KEY_UNKNOWN", with(wrong))
	w.every(401, "API_KEY_REVOKED", with(gone))
	w.every(401, "API_KEY_EXPIRED", with(old))
	w.every(403, "SCOPE_MISSING", func(r *http.Request, op *operation) {
		with(viewer)(r, op)
		if op.path == "/api/v1/tasks/{id}/events" || op.path == "/api/v1/tasks/{id}/errors" {
			r.URL.RawQuery = "build=x" // a viewer may read the list, but not with this filter
		}
		if op.path == "/api/v1/files/{id}/content" {
			r.URL.Path = "/api/v1/files/" + sensitive + "/content"
		}
	})
	w.every(401, "text/html", with(""))
	for range 20 {
		w.as(wrong).look("/api/v1/tasks").is(http.StatusUnauthorized)
	}
	guess := setHeader("Authorization", "Bearer "+wrong)
	w.every(429, "TOO_MANY_WRONG_KEYS", guess)
	w.every(429, "text/html", guess)
}

// TestWalk_LedgerIsBrokenOrAway_Is500Or503: a failing statement is a system error, and an unavailable ledger is
// a temporary error.
func TestWalk_LedgerIsBrokenOrAway_Is500Or503(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	session, err := w.opt.Access.SignIn(t.Context(), w.secret, "192.0.2.1", time.Hour)
	fine(t, err)
	w.pass(time.Minute) // the cached rights of the key are too old
	secret := w.secret
	spoil := func(r *http.Request, op *operation) {
		if strings.HasPrefix(op.path, "/sign-") {
			r.Header.Del("Authorization")
			r.Header.Set("Cookie", "rollcall_session="+session)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			if op.path == "/sign-in" && op.method == http.MethodPost {
				setBody(r, "key="+secret)
			}
		}
	}
	w.loseTables()
	w.every(500, "INTERNAL", spoil)
	w.every(500, "text/html", spoil)
	fine(t, w.db.Close())
	w.every(503, "UNAVAILABLE", spoil)
	w.every(503, "text/html", spoil)
}

// loseTables renames all tables of the ledger.
func (l *lab) loseTables() {
	l.t.Helper()
	var names []string
	const list = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
	fine(l.t, l.db.Read.Raw(list).Scan(&names).Error)
	for _, name := range names {
		l.exec("ALTER TABLE " + name + " RENAME TO lost_" + name)
	}
}

// TestWalkWrongBodies sends bodies of the wrong type, cut off, too large, and too slow.
func TestWalkWrongBodies(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	w.every(415, "UNSUPPORTED_MEDIA_TYPE", setHeader("Content-Type", "image/png"))
	w.every(400, "MALFORMED_JSON", func(r *http.Request, _ *operation) {
		r.Header.Set("Content-Type", jsonType)
		setBody(r, "{")
	})
	w.every(400, "MALFORMED_BODY", func(r *http.Request, _ *operation) { setBody(r, "") })
	w.every(413, "BODY_TOO_LARGE", func(r *http.Request, _ *operation) {
		r.Header.Set("Content-Type", jsonType)
		stuck(t, r, strings.Repeat(" ", 70<<10), 11<<20)
	})
	w = newWalk(t, func(o *web.Options) { o.StallTimeout = 50 * time.Millisecond })
	w.every(408, "UPLOAD_TOO_SLOW", func(r *http.Request, _ *operation) { stuck(t, r, "", 1000) })
}

// TestWalkRepeatedRequests sends requests with the idempotency key of another request.
func TestWalkRepeatedRequests(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	claim := func(key, target string) {
		_, _, err := w.opt.Idempotency.Claim(t.Context(), idempotency.Request{Tenant: "default", Key: key, Target: target})
		fine(t, err)
	}
	w.every(400, "IDEMPOTENCY_KEY_INVALID", setHeader("Idempotency-Key", `"`))
	claim("other", "another request")
	w.every(422, "IDEMPOTENCY_KEY_REUSED", setHeader("Idempotency-Key", "other"))
	w.every(409, "IDEMPOTENCY_IN_FLIGHT", func(r *http.Request, op *operation) {
		r.Header.Set("Idempotency-Key", op.path)
		claim(op.path, web.Target(r, ginPath(op.path)))
	})
}

func setBody(r *http.Request, text string) {
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
}

// stuck sets a body that sends a text and then nothing, although it announces more.
func stuck(t *testing.T, r *http.Request, text string, length int64) {
	nothing, end := io.Pipe()
	t.Cleanup(func() { _ = end.Close() })
	r.Body, r.ContentLength = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader(text), nothing), nothing}, length
}
