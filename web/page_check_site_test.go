package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/web"
)

// check sends a file to be looked at, and returns where that is shown.
func (s *site) check(name, content string) (path, draft string) {
	s.t.Helper()
	a := s.postTo("/imports/check", name, content)
	if path = a.header.Get("Location"); a.status != http.StatusSeeOther {
		s.t.Fatalf("POST /imports/check = %d:\n%s", a.status, words(a.body))
	}
	page := s.get(path)
	m := regexp.MustCompile(`name="draft" value="([^"]+)"`).FindStringSubmatch(page.body)
	if m == nil {
		s.t.Fatalf("no form on the page, %d:\n%s", page.status, words(page.body))
	}
	return path, m[1]
}

// TestAFileIsCheckedFirst: its headings are named, its rows judged, and nothing
// is imported until that is asked for, once.
// TestCheckPage_DecimalComma_IsChosen shows the guess on the page, and posts
// another choice.
func TestCheckPage_DecimalComma_IsChosen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path, draft := s.check("p.csv", "SKU;Name;Price\nA;a;12,50\n")
	tells(t, s.get(path).body, "1 looks valid", "decimal comma", "as found in the file")
	a := s.send("/imports/check", "draft", draft, "decimal", ".", "act", "check").body
	tells(t, a, "1 would fail")
	if !strings.Contains(a, `value="." selected`) || strings.Contains(a, "with a decimal comma") {
		t.Error("the point that was chosen does not count")
	}
	first := s.send("/imports/check", "draft", draft, "decimal", ",", "act", "start")
	s.work()
	tells(t, s.finished(first.header.Get("Location")), "1 row")
}

func TestAFileIsCheckedFirst(t *testing.T) {
	t.Parallel()
	var late time.Duration
	s := newSite(t, func(o *web.Options) { o.Now = func() time.Time { return time.Now().Add(late) } })
	path, draft := s.check("p.csv", "Code;Title;Price;<b>x;Brand\nA;a;1;;Acme\nB;<i>b</i>;two;;Acme\nB;c;3;;Acme\n")
	page := s.get(path).body
	tells(t, page, "Check p.csv", "Check again", "The required column Name is missing", "Code", "not used")
	if strings.Contains(page, "Import 3 rows") || strings.Contains(page, "<b>x") {
		t.Error("a file that lacks a column can be started, or a heading became markup")
	}
	form := []string{"draft", draft, "map:Code", "SKU", "map:Title", "Name", "map:Price", "Price", "map:<b>x", ""}
	tells(t, s.send("/imports/check", append(form, "act", "check")...).body,
		"3 rows", "2 look valid", "1 would fail", "1 key occurs in more than one row", "Import 3 rows", `"two" is not a number`, "3 B <i>b</i> two")
	form = []string{"draft", draft, "map:Code", "SKU", "map:Title", "Name", "map:Price", "Price", "map:<b>x", "Price"}
	a := s.send("/imports/check", append(form, "act", "check")...)
	tells(t, a.body, "The file was not accepted", "Title", "not used")
	tells(t, s.get("/").body, "No imports yet")

	form = []string{"draft", draft, "map:Code", "SKU", "map:Title", "Name", "map:Price", "Price", "name", "Spring"}
	first := s.send("/imports/check", append(form, "act", "start")...)
	again := s.send("/imports/check", append(form, "act", "start")...)
	if to := first.header.Get("Location"); !strings.HasPrefix(to, "/tasks/") || to != again.header.Get("Location") {
		t.Errorf("pressed twice, it leads to %q and %q", to, again.header.Get("Location"))
	}
	s.work()
	tells(t, s.finished(first.header.Get("Location")), "Spring", "1 row needs correction", "3 rows")

	for name, bad := range map[string]string{"nothing": "", "a forged one": "x" + draft[1:], "another's": draft[:len(draft)-4] + "AAAA"} {
		if a := s.send("/imports/check", "draft", bad); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := s.postTo("/imports/check", "p.pdf", "%PDF-1.7\n"); a.status != http.StatusSeeOther {
		t.Errorf("a letter: %d", a.status)
	} else if b := s.get(a.header.Get("Location")); b.status != http.StatusUnsupportedMediaType {
		t.Errorf("a letter is %d", b.status)
	}
	late = 13 * time.Hour
	if a := s.get(path); a.status != http.StatusNotFound {
		t.Errorf("a day later: %d", a.status)
	}
}
