package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// TestDocsTellAll: the page has each operation and code, needs no key, and all its links work.
func TestDocsTellAll(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.member("default", access.Viewer) // the page needs no key
	r := l.look("/docs")
	if r.is(http.StatusOK); !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("headers %v", r.header)
	}
	var want []string
	for _, op := range contract().ops {
		if !op.api() {
			continue
		}
		want = append(want, `id="`+op.def["operationId"].(string)+`"`, "<code>"+op.path+"</code>")
	}
	for _, code := range web.Codes() {
		want = append(want, `id="code-`+code+`"`)
	}
	for _, text := range want {
		if !strings.Contains(r.body, text) {
			t.Errorf("the page has no %s", text)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(r.body, -1) {
		if n := strings.Count(r.body, `id="`+m[1]+`"`); n != 1 {
			t.Errorf("a link leads to %q, of which there are %d", m[1], n)
		}
	}
	if strings.Contains(r.body, "<no value>") || strings.Contains(r.body, "`") {
		t.Error("something was not put into words")
	}
}

// TestDocs_KnownVersion_IsNotSentAgain: each language and each theme has a version.
func TestDocs_KnownVersion_IsNotSentAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	seen := map[string]string{}
	for _, look := range [][]string{
		{"Accept-Language", "en"},
		{"Accept-Language", "vi"},
		{"Accept-Language", "en", "Cookie", "rollcall_theme=dark"},
	} {
		r := l.look("/docs", look...)
		r.is(http.StatusOK)
		tag := r.header.Get("ETag")
		if other, twice := seen[tag]; tag == "" || twice {
			t.Errorf("ETag %q of %v is that of %q", tag, look, other)
		}
		seen[tag] = strings.Join(look, " ")
		again := l.look("/docs", append(look, "If-None-Match", tag)...)
		if again.is(http.StatusNotModified); again.body != "" || again.header.Get("ETag") != tag {
			t.Errorf("what is known: %d bytes, %v", len(again.body), again.header)
		}
		if same := l.look("/docs", look...); same.body != r.body {
			t.Errorf("the page of %v has changed", look)
		}
	}
}

// TestProblemType_OfEachCode_LeadsToTheDocs follows the type of each problem, as a developer would.
func TestProblemType_OfEachCode_LeadsToTheDocs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, code := range web.Codes() {
		r := l.look("/problems/" + strings.ToLower(strings.ReplaceAll(code, "_", "-")))
		if r.is(http.StatusSeeOther); r.header.Get("Location") != "/docs#code-"+code {
			t.Errorf("%s leads to %q", code, r.header.Get("Location"))
		}
	}
	l.look("/problems/nothing").is(http.StatusNotFound)
}
