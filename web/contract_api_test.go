package web_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/web"
)

// TestMain checks, when all tests of the package have run, that each response of the contract
// occurred.
func TestMain(m *testing.M) {
	testenv.Tune(testenv.Size(12, 8)) // the race detector leaves less time
	web.WaitLonger()
	failed := m.Run()
	if failed == 0 && whole() {
		for _, missing := range contract().unseen() {
			fmt.Printf("--- FAIL: %s, says web/openapi.yaml, and no test has seen it: provoke it, or list it no more\n", missing)
			failed = 1
		}
	}
	os.Exit(failed)
}

// whole reports whether all tests ran, not only some.
func whole() bool {
	for _, name := range []string{"run", "skip", "list", "fuzz", "bench"} {
		if f := flag.Lookup("test." + name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return flag.Lookup("test.count").Value.String() != "0"
}

// unseen lists the statuses and codes of the contract that no test has received. For a success, it also lists
// the media types. A full disk is tested elsewhere.
func (b *book) unseen() []string {
	var out []string
	for _, op := range b.ops {
		for _, status := range slices.Sorted(maps.Keys(op.answers)) {
			doc := op.answers[status]
			want := slices.Clone(doc.codes)
			switch {
			case status >= 300 && len(want) > 0:
			case len(doc.types) == 0:
				want = []string{""}
			default:
				want = slices.Sorted(maps.Keys(doc.types))
			}
			for _, what := range want {
				if _, ok := b.seen.Load(seenKey(op, status, what)); !ok && what != "*/*" && what != "STORAGE_FULL" {
					out = append(out, seenKey(op, status, what))
				}
			}
		}
	}
	return out
}

// TestContract_Operations_HaveNamesAndValidExamples does not check that the document is
// well-formed: TestContract_Linters_FindNothing of make deployments-test does.
func TestContract_Operations_HaveNamesAndValidExamples(t *testing.T) {
	t.Parallel()
	for _, op := range contract().ops {
		for media, body := range contract().bodies(op) {
			example, ok := body.(map[string]any)["example"]
			if !ok || !isJSON(media) {
				continue
			}
			at := []string{"paths", op.path, strings.ToLower(op.method), "requestBody", "content", media, "schema"}
			if err := contract().compile(at...).Validate(example); err != nil {
				t.Errorf("%s %s: the example is not as its schema: %v", op.method, op.path, err)
			}
		}
	}
	if text, err := web.Contract(); err != nil || strings.Contains(string(text), "text/html") {
		t.Errorf("openapi.yaml has pages, which belong to pages.yaml: %v", err)
	}
	ids := map[string]bool{}
	for _, op := range contract().ops {
		id, _ := op.def["operationId"].(string)
		if id == "" || ids[id] || op.def["summary"] == nil || op.def["tags"] == nil {
			t.Errorf("%s %s: operationId %q is missing or stands twice, or there is no summary or tag", op.method, op.path, id)
		}
		ids[id] = true
	}
}

// ginPath returns a path in Gin's form.
func ginPath(path string) string {
	path = strings.Replace(path, "/static/{file}", "/static/*file", 1)
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// scope returns the scope that an operation requires; "" if it needs none. If the contract declares
// nothing, scope returns a text that no route has.
func (op *operation) scope() string {
	list, ok := op.def["security"].([]any)
	if !ok {
		return "nothing is said"
	}
	if len(list) == 0 {
		return ""
	}
	key, _ := list[0].(map[string]any)["key"].([]any)
	return fmt.Sprint(key...)
}

// TestContractIsServed: the contract is served as it is written, with an ETag.
func TestContractIsServed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.member("default", access.Viewer) // the contract needs no key
	r := l.look("/openapi.json")
	want, err := web.Contract()
	fine(t, err)
	if r.is(http.StatusOK); r.body != string(want) || r.header.Get("ETag") == "" {
		t.Errorf("the document is served with %v and %d bytes, want %d", r.header, len(r.body), len(want))
	}
	l.look("/openapi.json", "If-None-Match", r.header.Get("ETag")).is(http.StatusNotModified)
}

// TestNothingIsRedirectedByItsSlash: Gin would redirect before it asks for a key.
func TestNothingIsRedirectedByItsSlash(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/api/v1/tasks/").refuses(http.StatusNotFound, "NOT_FOUND")
	r := l.call(http.MethodOptions, "/api/v1/tasks", "")
	r.refuses(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	for _, method := range []string{"GET", "HEAD", "POST"} {
		if !strings.Contains(r.header.Get("Allow"), method) {
			t.Errorf("Allow = %q, without %s", r.header.Get("Allow"), method)
		}
	}
}

// TestContractHasAllCodes: the contract has all codes, and no others.
func TestContractHasAllCodes(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, doc := range contract().any {
		for _, code := range doc.codes {
			listed[code] = true
		}
	}
	for _, op := range contract().ops {
		for _, doc := range op.answers {
			for _, code := range doc.codes {
				listed[code] = true
			}
		}
	}
	for _, code := range web.Codes() {
		if !listed[code] {
			t.Errorf("web/problem/codes.go has %s, which no answer of web/openapi.yaml has", code)
		}
		delete(listed, code)
	}
	for code := range listed {
		t.Errorf("web/openapi.yaml has the code %s: add it to web/problem/codes.go, with what it means", code)
	}
}
