package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
)

// send sends a form as a browser without scripts does.
func (s *site) send(path string, pairs ...string) answer {
	s.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return s.do(http.MethodPost, path, strings.NewReader(form.Encode()),
		"Content-Type", "application/x-www-form-urlencoded")
}

// version returns the version of the row on its page.
func version(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no version:\n%s", words(page))
	}
	return m[1]
}

// TestRowsAreRepairedWithoutScript: rows are repaired one by one while another user edits them, and
// many rows are repaired at once after a count.
func TestRowsAreRepairedWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	var file strings.Builder
	file.WriteString("Colour,SKU,Name,Price,Brand\n")
	for i := range 60 {
		fmt.Fprintf(&file, "red,S%d,<b>n</b>,no%d,Acme\n", i, i)
	}
	file.WriteString("blue,B,b,1,Acma\nblue,C,c,1,Acma\n")
	path := s.imported("p.csv", file.String())
	tells(t, s.finished(path), "62 rows need a correction, for 2 causes.", "Open 62 rows in the grid", "Price : Invalid number", "60 rows", "Brand : Not known", "Acma", "Fix and run 2 rows")

	page := s.get(path + "/repair").body
	tells(t, page, "Correct rows", "All 62", "To correct 62", "Ready to run 0", "Price : Invalid number 60", "Run selected…", "Colour", "SKU", "Price",
		"2 To correct red S0 <b>n</b> no0 Acme", `"no0" is not a number`, "More rows", "Run 0 ready rows")
	if strings.Contains(page, "<b>n") {
		t.Error("a cell became markup")
	}
	tells(t, s.get(path+"/repair?cause=BRAND_UNKNOWN%7CBrand").body, "62 To correct blue B", "63 To correct blue C")
	tells(t, s.get(path+"/repair?q=S5&resolution=open").body, "7 To correct", "52 To correct")
	number := s.get(path + "/repair?q=47").body
	tells(t, number, "47 To correct red S45", "49 To correct red S47")
	if rows := strings.Count(number, `name="id"`); rows != 2 {
		t.Errorf("%d rows have the number or hold it, want 2", rows)
	}
	tells(t, s.get(path+"/repair?code=NO_SUCH").body, "No row matches the filter.")

	// Two users have row 2 open.
	row := path + "/rows/1"
	before := s.get(row).body
	tells(t, before, "Row 2", "To correct", "Price", "no0", "is not a number", "SKU", "Save and run", "Save, next row")
	a := s.send(row, "version", version(t, before), "act", "save", "cell:Price", "still", "cell:Name", "x\r\ny")
	tells(t, s.get(a.header.Get("Location")).body, "Row 2 is saved. It still needs a correction.", "Undo", "still", "In the address and in the API, this is record 1")
	if page := s.get(a.header.Get("Location")).body; !strings.Contains(page, `<div class="msg warn" role="status">`) {
		t.Error("a row that still needs a correction looks like one that is done")
	}
	a = s.send(row, "version", version(t, before), "act", "save", "cell:Price", "7")
	if a.status != http.StatusConflict {
		t.Fatalf("what another one did was overwritten: %d", a.status)
	}
	tells(t, a.body, "Another user has changed this row", "7", "Theirs", "still")
	a = s.send(row, "version", version(t, a.body), "act", "save", "cell:Price", "7")
	tells(t, s.get(a.header.Get("Location")).body, "No problems found so far.")
	a = s.send(row, "version", version(t, s.get(row).body), "act", "save", "cell:Size", "1")
	tells(t, a.body, "There is no column")
	tells(t, s.get(row).body, "Undo the last edit")
	a = s.send(row, "version", version(t, s.get(row).body), "act", "undo")
	tells(t, s.get(a.header.Get("Location")).body, "still needs a correction", "still")
	a = s.send(row, "version", version(t, s.get(row).body), "act", "undo")
	tells(t, s.get(a.header.Get("Location")).body, "No problems found so far.")
	a = s.send(path+"/rows/2", "version", version(t, s.get(path+"/rows/2").body), "act", "skip", "note", "old")
	tells(t, s.get(a.header.Get("Location")).body, "Row 3 is left out.", "Undo", "Left out", "Put back…")

	// First the brand of all rows of a cause, then one text of a column, then the ticked rows.
	brand := []string{"code", "BRAND_UNKNOWN", "column", "Brand", "rows", "all", "act", "set", "of", "Brand", "value", "Acme"}
	tells(t, s.send(path+"/repair", brand...).body, "Set Brand to “Acme” in 2 rows?", "2 rows will be valid.", "62 Brand Acma Brand Acme")
	a = s.send(path+"/repair", append(brand, "go", "1")...)
	tells(t, s.get(a.header.Get("Location")).body, "2 rows were changed.", "Undo", "62 Ready to run")
	tells(t, s.get(path+"/repair?code=NO_SUCH").body, "No row matches the filter.", "Run 3 ready rows")
	replace := []string{"rows", "all", "act", "replace", "in", "Price", "find", "no1", "with", "1"}
	tells(t, s.send(path+"/repair", replace...).body, "Replace “no1” with “1” in Price of 10 rows?") // no1 is skipped
	all := []string{"rows", "all", "act", "set", "of", "Price", "value", "1"}
	tells(t, s.send(path+"/repair", all...).body, "Set Price to “1” in 58 rows?", "And 48 more.")
	tells(t, s.send(path+"/repair", "act", "skip").body, "No row is selected.")
	tells(t, s.send(path+"/repair", "act", "skip", "go", "1").body, "No row is selected.") // an empty form does not select all rows
	tells(t, s.send(path+"/repair", "rows", "all", "act", "resubmit").body, "Run 3 rows?", "58 rows still have errors and do not run.", "And 48 more.")
	a = s.send(path+"/repair", "rows", "all", "act", "resubmit", "go", "1")
	tells(t, s.get(a.header.Get("Location")).body, "3 rows run again.")
	tells(t, s.finished(path), "Finished, 58 rows need correction")
	tells(t, s.get(row).body, "Row 2", "Done")
	tells(t, s.get(path).body, "What was done", "3 rows sent to run", "2 rows:", "Brand", "→ Acme", "1 row left out", "old", "Undo", "Row 2:", "Price still → 7", "Uploaded")
}

// TestAPageIsSmall measures what a browser loads at first, compressed as by a proxy.
func TestAPageIsSmall(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.work()
	path := s.imported("p.csv", heading+strings.Repeat("A,a,no,Acme\n", 100))
	s.finished(path)
	for _, page := range []string{"/", path, path + "/repair", path + "/rows/1"} {
		all := s.get(page).body
		for _, m := range regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`).FindAllStringSubmatch(all, -1) {
			all += s.get(m[1]).body
		}
		all += s.get("/static/grid-rows.js").body
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(all))
		must(t, err)
		must(t, z.Close())
		if packed.Len() > 100<<10 {
			t.Errorf("%s takes %d kB", page, packed.Len()>>10)
		}
	}
}

// TestTaskPage_SystemErrorsBesideFailures_GridButtonCountsItsRows: the button counts the rows that
// the grid shows, including those in error.
func TestTaskPage_SystemErrorsBesideFailures_GridButtonCountsItsRows(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	id := acme.imported("No,tel\nX,+14155550133\nY,+14155550134\nZ,+14155550135\n")
	d.split()
	acme.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "no such brand"}, 1, 2)
	acme.endsInError(id, "stock service answered 503", 3)
	page := acme.page("/tasks/" + id)
	tells(t, page, "Open 3 rows in the grid", "The rows can run again once the error is gone.")
	link := regexp.MustCompile(`href="(/tasks/[^"]*/repair[^"]*)">[^<]*(?:<svg.*?</svg>)? Open 3`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no link to the grid:\n%s", page)
	}
	if rows := strings.Count(acme.page(link[1]), `name="id"`); rows != 3 {
		t.Errorf("the grid shows %d rows, want 3", rows)
	}
}

// TestPages_Viewer_SeesNoControlsOfRows: pages of a user who may not change rows have no boxes and no fields
// for them. The same is true for a task whose rows are closed.
func TestPages_Viewer_SeesNoControlsOfRows(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,no,Acme\nS2,b,no,Acme\n", "")
	l.split()
	_, secret := l.member("default", access.Viewer)
	_, other := l.member("default", access.Reviewer)
	viewer, reviewer := l.as(secret), l.as(other)
	for _, one := range [][2]string{{"", `#becomes"`}, {"", `data-rows=`}, {"/repair", `type="checkbox"`}, {"/repair", `name="act"`}} {
		at, sign := "/tasks/"+id+one[0], one[1]
		if mine, theirs := strings.Contains(reviewer.page(at), sign), strings.Contains(viewer.page(at), sign); !mine || theirs {
			t.Errorf("%s: %s is shown to a reviewer: %t, to a viewer: %t", at, sign, mine, theirs)
		}
	}
	page := viewer.page("/tasks/" + id)
	if tells(t, page, "Price : Invalid number 2 rows no 2 rows See rows"); strings.Contains(page, "<footer>") {
		t.Error("the card of a cause has a footer without acts")
	}
	tells(t, viewer.page("/tasks/"+id+"/repair"), "Failed rows")
	if strings.Contains(viewer.page("/tasks/"+id+"/repair"), "Correct rows") {
		t.Error("the rows of a viewer are titled as rows to correct")
	}
	l.exec(`UPDATE rollcall.tasks SET status = 'canceled'`)
	if page := reviewer.page("/tasks/" + id + "/repair"); strings.Contains(page, `type="checkbox"`) {
		t.Errorf("rows that are closed have boxes")
	}
}

// TestTask_ListOfFailedRows_HasNoCorrectedRow: the list leaves out rows that were corrected and have not run. The list keeps
// all other rows, and their messages name the heading of the file.
func TestTask_ListOfFailedRows_HasNoCorrectedRow(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Cost,Brand\nA,n,one,Acme\nB,n,two,Acme\nC,n,six,Acme\n", `{"mapping":{"Cost":"Price"}}`)
	l.split()
	l.review(id, "repair", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`).says("done", 1)
	l.review(id, "skip", `{"ids":["`+id+`.3"]}`).says("done", 1)
	page := l.page("/tasks/" + id)
	tells(t, page, "List of failed rows", `Cost: "two" is not a number`, `Cost: "six" is not a number`)
	if _, list, _ := strings.Cut(page, "List of failed rows"); strings.Contains(list, "Price:") || strings.Contains(list, `"one"`) {
		t.Errorf("the list has a corrected row, or names the column of the kind:\n%s", list)
	}
}
