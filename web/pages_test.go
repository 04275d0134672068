package web_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/web"
)

const heading = "SKU,Name,Price,Brand\n"

func TestFirstVisit(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	home := s.get("/")
	if home.status != http.StatusOK {
		t.Fatalf("GET / = %d, want 200", home.status)
	}
	tells(t, home.body, "Imports", "New import", "No imports yet")
	tells(t, s.get("/imports/new").body, "New import", "Products", "up to 100 MB", "What Products needs", "SKU", "required", "Stock")

	sample := s.get("/kinds/products.import/sample.csv")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(sample.body, "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 2 || rows[0][0] != "SKU" || rows[1][1] != "Anvil, 50 kg" {
		t.Fatalf("the sample is %q, %v; want the headings and the examples", rows, err)
	}
	s.work()
	tells(t, s.finished(s.imported("sample.csv", sample.body)),
		"sample.csv", "Finished", "Done: 1 row is imported.", "It ran for", "No row failed.")
}

func TestUploadWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.imported("prices.csv", heading+
		"A,a,1,Acme\nB,b,twelve,Acme\nC,,1,Acme\nD,d,1,Nobody\nE,e,no,Acme\nF,f,2,Stark\n")

	waiting := s.get(path)
	tells(t, waiting.body, "prices.csv", "Waiting to be read", "No row has failed so far.")
	if !strings.Contains(waiting.body, `<noscript><meta http-equiv="refresh"`) {
		t.Error("without script, the page of a task at work does not look again")
	}
	tells(t, s.get("/").body, "prices.csv", "Waiting")

	s.work()
	page := s.finished(path)
	if strings.Contains(page, "http-equiv") || strings.Contains(page, "data-poll") {
		t.Error("the page of a task that is done looks again")
	}
	tells(t, page, "Rows to correct, Excel", "4 rows need a correction, for 3 causes.", "2 of 6 rows are imported.", "It ran for",
		"2 imported", "4 to correct", "Price : Invalid number 2 rows", "twelve 1 row", "Name : Empty 1 row",
		"Brand : Not known 1 row", "Nobody", "Rows, numbered as in the file",
		`3 Price twelve Price: "twelve" is not a number Enter the price without tax`,
		"4 Name empty Name is empty", "5 Brand Nobody", "Known brands: Acme", "6 Price no")
	tells(t, s.get("/").body, "To do 1", "prices.csv", "To correct", "4 rows", "Correct 4")
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	page := s.finished(s.imported("p.csv", heading+"A,a,1,Acme\nB,b,no,Acme\n"))
	links := regexp.MustCompile(`href="(/api/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(links) != 5 { // the rows to correct are offered twice
		t.Fatalf("%d downloads, want failed and all rows as xlsx and csv: %q", len(links), links)
	}
	for _, link := range links {
		a := s.get(strings.ReplaceAll(link[1], "&amp;", "&"))
		named := strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename=p")
		if a.status != http.StatusOK || !named || a.body == "" {
			t.Errorf("GET %s = %d, %v", link[1], a.status, a.header)
		}
		if strings.HasSuffix(link[1], "only=failed&amp;format=csv") && strings.Count(a.body, "\n") != 2 {
			t.Errorf("the failed rows are %q, want the headings and one row", a.body)
		}
	}
}

func TestFailedRowsByCauseAndPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	var file strings.Builder
	file.WriteString(heading)
	for i := range 70 {
		fmt.Fprintf(&file, "S%d,n,no%d,Acme\nT%d,n,1,Nobody\n", i, i, i)
	}
	path := s.imported("p.csv", file.String())
	page := s.finished(path)
	tells(t, page, "140 rows need a correction, for 2 causes.", "Brand : Not known 70 rows", "Nobody 70 rows", "List of failed rows",
		"2 Price no0", "3 Brand Nobody", "51 Brand Nobody", "More rows")

	more := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	chosen := s.get(path + "?code=INVALID_NUMBER&column=Price")
	tells(t, chosen.body, "Only “Invalid number” in Price", "Show all failed rows",
		"2 Price no0", "4 Price no1", "100 Price no49", "More rows")
	next := more.FindStringSubmatch(chosen.body)[1]
	last := s.get(strings.ReplaceAll(next, "&amp;", "&"))
	tells(t, last.body, "Only “Invalid number” in Price", "102 Price no50", "140 Price no69", "First rows")
	for _, page := range []string{chosen.body, last.body} {
		if strings.Contains(page, "Nobody") || page == last.body && more.MatchString(page) {
			t.Error("the page shows rows of another cause, or goes on behind the last row")
		}
	}
	tells(t, s.get(path+"?code=NO_SUCH").body, "No row failed with this cause.")
}

func TestHostileTexts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	const bad = "<script>alert(1)</script>\u202egnp.exe\u200b"
	name := `"><img src=x onerror=alert(1)>` + "\u202e.csv"
	long := strings.Repeat("x", 150)
	path := s.imported(name, heading+"A,a,"+bad+",Acme\nB,b,"+long+",Acme\n")
	for _, page := range []string{s.finished(path), s.get("/").body} {
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") {
			t.Error("a text of the file became markup")
		}
		if strings.ContainsAny(page, "\u202e\u200b") {
			t.Error("the page has a character that hides or turns others")
		}
		tells(t, page, "<img src=x onerror=alert(1)>[U+202E].csv")
	}
	page := s.get(path).body
	tells(t, page, "<script>alert(1)</script>[U+202E]gnp.exe[U+200B]")
	if !strings.Contains(page, `title="`+long+`"`) || !strings.Contains(page, ">"+long[:120]+"…</bdi>") {
		t.Error("a long value is not shortened, or not whole in its title")
	}
}

func TestProblemsOfAnUpload(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	tests := []struct {
		name    string
		content string
		status  int
		says    string
	}{
		{"not a table", "%PDF-1.7\n", http.StatusUnsupportedMediaType, "PDF"},
		{"too large", strings.Repeat("x", 3<<20), http.StatusRequestEntityTooLarge, "larger than the 1 MB"},
		{"two columns of one name", "SKU,SKU,Name,Price\nA,A,a,1\n", http.StatusUnprocessableEntity, "Column B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := s.post("p.csv", tt.content)
			if a.status != tt.status {
				t.Errorf("status = %d, want %d", a.status, tt.status)
			}
			tells(t, a.body, "New import", "The file was not accepted", tt.says, "Type of data")
		})
	}
	t.Run("no form", func(t *testing.T) {
		t.Parallel()
		a := s.do(http.MethodPost, "/imports", strings.NewReader("kind=x"),
			"Content-Type", "text/plain")
		if a.status != http.StatusUnsupportedMediaType {
			t.Errorf("status = %d, want 415", a.status)
		}
		tells(t, a.body, "Reload this page and try again.")
	})
	t.Run("from another site", func(t *testing.T) {
		t.Parallel()
		a := s.post("p.csv", heading+"A,a,1,Acme\n", "Sec-Fetch-Site", "cross-site")
		if a.status != http.StatusForbidden {
			t.Errorf("status = %d, want 403", a.status)
		}
	})
}

func TestProblemOfAFile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	var file strings.Builder
	file.WriteString(heading)
	for i := range 300 {
		fmt.Fprintf(&file, "A%d,a,no,Acme\n", i)
	}
	path := s.imported("p.csv", file.String()+`B,"open,1,Acme`+"\n")
	tells(t, s.finished(path), "Only part of the file could be read", "All rows, Excel", "What is wrong with the file")
}

func TestOlderImports(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for i := range 51 {
		s.imported(fmt.Sprintf("file-%02d.csv", i), heading+"A,a,1,Acme\n")
	}
	first := s.get("/")
	tells(t, first.body, "file-50.csv", "file-49.csv", "file-01.csv", "Older")
	older := regexp.MustCompile(`href="(/\?cursor=[^"]+)"`).FindStringSubmatch(first.body)[1]
	last := s.get(older)
	tells(t, last.body, "file-00.csv", "Newest")
	if strings.Contains(first.body, "file-00.csv") || strings.Contains(last.body, "file-01.csv") {
		t.Error("an import is on both pages")
	}
	if strings.Contains(last.body, `rel="next"`) {
		t.Error("the last page goes on")
	}
}

func TestNothingThere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, path := range []string{
		"/tasks/nope", "/nope", "/static/nope.js", "/static/../pages.go", "/kinds/nope/sample.csv",
	} {
		a := s.get(path)
		if a.status != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404", path, a.status)
		}
		tells(t, a.body, "Not found", "All imports")
	}
	if a := s.get("/?cursor=nope"); a.status != http.StatusBadRequest {
		t.Errorf("a wrong cursor = %d, want 400", a.status)
	}
	json := s.get("/api/nope")
	if json.status != http.StatusNotFound || !strings.Contains(json.body, `"code":"NOT_FOUND"`) {
		t.Errorf("GET /api/nope = %d %s, want a problem document", json.status, json.body)
	}
	plain := s.get("/nope", "Accept", "*/*")
	if plain.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("a program that asks for nothing gets %s", plain.header.Get("Content-Type"))
	}
}

func TestFaultOnOurSide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	must(t, s.Files.Close())
	a := s.post("p.csv", heading+"A,a,1,Acme\n")
	if a.status != http.StatusInternalServerError {
		t.Errorf("status = %d, want 500", a.status)
	}
	tells(t, a.body, "The service failed", "quote", a.header.Get("X-Request-Id"))
	if strings.Contains(a.body, "blobs") || strings.Contains(a.body, "closed") {
		t.Error("a stranger is told what is inside")
	}
}

func TestPolicyAndStaticFiles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.imported("p.csv", heading+"A,a,1,Acme\n")
	page := s.get("/")
	policy := page.header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy = %q", policy)
	}
	if regexp.MustCompile(`<style|<script[^>]*>[^<]|\s(style|on[a-z]+)="`).MatchString(page.body) {
		t.Error("the page has style or script of its own, which its policy refuses")
	}
	assets := regexp.MustCompile(`="(/static/[^"#]+)`).FindAllStringSubmatch(page.body, -1)
	slices.SortFunc(assets, func(a, b []string) int { return strings.Compare(a[1], b[1]) })
	assets = slices.CompactFunc(assets, func(a, b []string) bool { return a[1] == b[1] })
	if len(assets) != 4 {
		t.Fatalf("the page loads %q, want its style, script and icons", assets)
	}
	for _, asset := range assets {
		a := s.get(asset[1])
		if a.status != http.StatusOK || !strings.HasSuffix(a.header.Get("Cache-Control"), "immutable") {
			t.Errorf("GET %s = %d, %v", asset[1], a.status, a.header)
		}
		if again := s.get(asset[1], "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("GET %s again = %d, want 304", asset[1], again.status)
		}
		name, _, _ := strings.Cut(asset[1], "?")
		if old := s.get(name + "?v=old"); old.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s under an old address is kept: %v", name, old.header)
		}
	}
	if head := s.do(http.MethodHead, "/", nil); head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD / = %d", head.status)
	}
}
