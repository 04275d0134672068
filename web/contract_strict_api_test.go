package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/web"
)

// strict is a test that sends requests with undeclared input. The service must reject each of them
// without a change.
type strict struct {
	*walk
	before string
}

func newStrict(t *testing.T) *strict {
	t.Helper()
	s := &strict{walk: newWalk(t)}
	s.before = s.holds()
	return s
}

// holds returns the contents of the ledger, without the times of the last use of keys. It adds the number of
// files and the contents of Redis.
func (w *walk) holds() string {
	w.t.Helper()
	var tables []string
	fine(w.t, w.db.Read.Raw("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").Scan(&tables).Error)
	var b strings.Builder
	for _, table := range tables {
		var rows []map[string]any
		fine(w.t, w.db.Read.Table(table).Find(&rows).Error)
		for _, row := range rows {
			delete(row, "last_used_at")
			fmt.Fprintln(&b, table, row)
		}
	}
	files, err := os.ReadDir(w.folder)
	fine(w.t, err)
	return b.String() + fmt.Sprint(len(files), " files\n") + w.redis.Dump()
}

// refused sends a request that must be refused with a status, and a text that names the undeclared
// part.
func (s *strict) refused(what string, req *http.Request, status int, says string) {
	s.t.Helper()
	res, err := watch{s.t}.RoundTrip(req)
	fine(s.t, err)
	r := read(s.t, res)
	if r.status != status || !strings.Contains(r.body, says) {
		s.t.Errorf("%s: %s %s answered %d, want %d with %q: %.400s", what, req.Method, req.URL.Path, r.status, status, says, r.body)
	}
}

// unchanged checks that the requests to an operation have changed nothing.
func (s *strict) unchanged(operation string) {
	s.t.Helper()
	if now := s.holds(); now != s.before {
		s.t.Errorf("%s was refused, and changed something", operation)
		s.before = now
	}
}

// TestContract_UndeclaredParameter_IsRefused tests every path.
func TestContract_UndeclaredParameter_IsRefused(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	for _, op := range contract().ops {
		if op.path == "/sign-in/oidc/callback" { // another service composes its address
			continue
		}
		req := s.request(op)
		req.URL.RawQuery = "undeclared=1"
		s.refused("an undeclared parameter", req, http.StatusBadRequest, "undeclared")
		for _, name := range op.query() {
			req := s.request(op)
			req.URL.RawQuery = url.Values{name: {"", ""}}.Encode()
			s.refused("a parameter that stands twice", req, http.StatusBadRequest, name)
		}
		s.unchanged(op.method + " " + op.path)
	}
}

// TestContract_UndeclaredField_IsRefused tests every body.
func TestContract_UndeclaredField_IsRefused(t *testing.T) {
	t.Parallel()
	s, sent := newStrict(t), 0
	for _, op := range contract().ops {
		for media, content := range contract().bodies(op) {
			header, body := spoiltBody(t, media, content)
			if body == "" {
				continue
			}
			sent++
			req := s.request(op)
			req.Header.Set("Content-Type", header)
			setBody(req, body)
			s.refused("an undeclared field", req, http.StatusUnprocessableEntity, "undeclared")
			s.unchanged(op.method + " " + op.path)
		}
	}
	if sent < 25 {
		t.Errorf("only %d bodies were sent", sent)
	}
}

// spoiltBody returns a body of a media type with an undeclared field; "" if such bodies have no
// fields.
func spoiltBody(t *testing.T, media string, content any) (header, body string) {
	t.Helper()
	switch media {
	case jsonType:
		example, _ := content.(map[string]any)["example"].(map[string]any)
		text, err := json.Marshal(with(example, "undeclared", "x"))
		fine(t, err)
		return media, string(text)
	case formType:
		return media, "undeclared=x"
	case "multipart/form-data":
		return multipartType, form(field("undeclared", "x"), file("a.csv", rows(1)))
	}
	return "", ""
}

// TestContract_BodyWhereNoneIsDeclared_IsRefused: an empty body is accepted.
func TestContract_BodyWhereNoneIsDeclared_IsRefused(t *testing.T) {
	t.Parallel()
	s, sent := newStrict(t), 0
	for _, op := range contract().ops {
		if len(contract().bodies(op)) > 0 {
			continue
		}
		sent++
		for header, body := range map[string]string{jsonType: `{"ids":["X1"]}`, formType: "all=yes", "": strings.Repeat("x", 1<<20)} {
			req := s.request(op)
			req.Header.Set("Content-Type", header)
			setBody(req, body)
			s.refused("a body", req, http.StatusBadRequest, "must not have a body")
			setBody(req, body)
			req.ContentLength = -1
			s.refused("a body in chunks", req, http.StatusBadRequest, "must not have a body")
		}
		s.unchanged(op.method + " " + op.path)
	}
	if sent < 60 {
		t.Errorf("only %d operations without a body were tried", sent)
	}
}

// TestContract_BodyOfAnotherType_IsRefused: the answer names the accepted types.
func TestContract_BodyOfAnotherType_IsRefused(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	for _, op := range contract().ops {
		bodies := contract().bodies(op)
		if len(bodies) == 0 {
			continue
		}
		req := s.request(op)
		req.Header.Set("Content-Type", "text/plain")
		taken := ""
		if strings.HasPrefix(op.path, "/api/") {
			taken = slices.Sorted(maps.Keys(bodies))[0]
		}
		s.refused("a body of another type", req, http.StatusUnsupportedMediaType, taken)
	}
	s.unchanged("one of them")
}

// TestRoutes_PagesOfOperators_RefuseWhatTheyDoNotDeclare: these pages are not in the contract.
func TestRoutes_PagesOfOperators_RefuseWhatTheyDoNotDeclare(t *testing.T) {
	t.Parallel()
	s := newStrict(t)
	for _, r := range s.api.Routes() {
		if !forOperators(r.Path) {
			continue
		}
		send := func(what, query, body string, status int, says string) {
			op := &operation{method: r.Method, path: strings.ReplaceAll(r.Path, ":", "")}
			req := s.request(op)
			req.URL.RawQuery = query
			if body != "" || len(r.Forms) > 0 {
				req.Header.Set("Content-Type", formType)
				setBody(req, body)
			}
			s.refused(what, req, status, says)
		}
		send("an undeclared parameter", "undeclared=1", "", http.StatusBadRequest, "undeclared")
		if len(r.Forms) == 0 {
			send("a body", "", "all=yes", http.StatusBadRequest, "must not have a body")
			continue
		}
		send("an undeclared field", "", "undeclared=1", http.StatusUnprocessableEntity, "undeclared")
		send("a field that stands twice", "", single(r)+"=a&"+single(r)+"=b", http.StatusUnprocessableEntity, "Send it once")
	}
	s.unchanged("one of them")
}

// single returns a field of a form that may occur once; "" if there is none.
func single(r web.Route) string {
	for _, name := range r.Forms[0].Fields {
		if name != "key" && name != "topic" {
			return name
		}
	}
	return ""
}
