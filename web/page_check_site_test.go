package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/web"
)

// TestWizard_DecimalComma_IsReadOrChosen shows the guess, and sends another choice.
func TestWizard_DecimalComma_IsReadOrChosen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU;Name;Price\nA;a;12,50\n")
	tells(t, s.get(at+"/check").body, "What will happen", "1 row in the file", "1 will be imported", "decimal comma")
	if to := s.send(at, "act", "next", "decimal", ".").header.Get("Location"); to != at+"/check" {
		t.Fatalf("another sign leads to %q", to)
	}
	if page := s.get(at + "/check").body; !strings.Contains(words(page), "1 needs a correction") || strings.Contains(page, "with a decimal comma") {
		t.Errorf("the point that was chosen does not count:\n%s", words(page))
	}
	s.send(at, "act", "next", "decimal", ",")
	first := s.send(at, "act", "start")
	s.work()
	tells(t, s.finished(first.header.Get("Location")), "1 row")
}

// TestWizard_UnknownHeadings_AreMatchedThenImportedOnce goes from the file through its columns to
// the import.
func TestWizard_UnknownHeadings_AreMatchedThenImportedOnce(t *testing.T) {
	t.Parallel()
	var late time.Duration
	s := newSite(t, func(o *web.Options) { o.Now = func() time.Time { return time.Now().Add(late) } })
	a := s.post("p.csv", "Kode;Title;Price;<b>x;Brand\nA;a;1;;Acme\nB;<i>b</i>;two;;Acme\nB;c;3;;Acme\n")
	at := a.header.Get("Location")
	page := s.get(at).body
	tells(t, page, "Columns", "p.csv", "Name is required and not matched. Choose the matching column of the file", "Match the columns", "Kode", "A B", "Similar name", "Title", "Not imported", "Price", "Same name")
	if strings.Contains(page, "<b>x<") {
		t.Error("a heading became markup")
	}
	if check := s.get(at + "/check"); strings.Contains(check.body, `value="start"`) || !strings.Contains(words(check.body), "Match 2 required columns first") ||
		strings.Contains(words(check.body), "rows in the file") {
		t.Errorf("a file that lacks columns can be started, or is counted:\n%s", words(check.body))
	}
	form := []string{"act", "next", "map:Kode", "SKU", "map:Title", "Name", "map:Price", "Price", "map:<b>x", "Price", "remember", "yes"}
	if to := s.send(at, form...).header.Get("Location"); to != at {
		t.Errorf("two headings of one column lead to %q", to)
	}
	tells(t, s.get(at).body, "The file was not accepted", `"<b>x" and "Price" both mean Price`)
	form = []string{"act", "next", "map:Kode", "SKU", "map:Title", "Name", "map:Price", "Price", "map:<b>x", "", "name", "Spring", "remember", "yes", "as", "Shop"}
	if to := s.send(at, form...).header.Get("Location"); to != at+"/check" {
		t.Fatalf("a file whose columns are matched leads to %q", to)
	}
	tells(t, s.get(at+"/check").body, "3 rows in the file", "2 will be imported", "1 needs a correction", "1 key occurs in more than one row",
		`"two" is not a number`, "Import the 2 valid rows now", "Correct first, then import all", "3 B <i>b</i> two", "Import 2 rows")
	tells(t, s.get("/").body, "No imports yet")

	first, again := s.send(at, "act", "start"), s.send(at, "act", "start")
	if to := first.header.Get("Location"); !strings.HasPrefix(to, "/tasks/") || to != again.header.Get("Location") {
		t.Errorf("pressed twice, it leads to %q and %q", to, again.header.Get("Location"))
	}
	if page := words(s.get("/imports/mappings").body); strings.Contains(page, "Shop") {
		t.Errorf("matches are remembered before the import has ended:\n%s", page)
	}
	s.work()
	tells(t, s.finished(first.header.Get("Location")), "Spring", "1 row needs correction", "3 rows")

	// The same headings in another order are matched automatically.
	later := s.post("q.csv", "Title;Kode;Brand;Price;<b>x\nb;B2;Acme;5;\n").header.Get("Location")
	if !strings.HasSuffix(later, "/check") {
		t.Fatalf("known headings lead to %q", later)
	}
	tells(t, s.get(later).body, "1 row in the file", "Import 1 row")
	tells(t, s.get(strings.TrimSuffix(later, "/check")).body, "Kode", "Same as last time")
	tells(t, s.get("/imports/mappings").body, "Remembered matches", "Shop", "Products", "Kode → SKU", "Title → Name")
	id := between(t, s.get("/imports/mappings").body, `name="id" value="`, `"`)
	s.send("/imports/mappings", "id", id)
	tells(t, s.get("/imports/mappings").body, "No matches are remembered yet")
	if to := s.post("r.csv", "Title;Kode;Brand;Price;<b>x\nb;B3;Acme;5;\n").header.Get("Location"); strings.HasSuffix(to, "/check") {
		t.Error("deleted matches are used")
	}

	late = 13 * time.Hour
	if a := s.get(at); a.status != http.StatusNotFound {
		t.Errorf("a day later: %d", a.status)
	}
}

// TestCheck_NoRowIsValid_OffersTheCorrectionOnly: an import of 0 rows is not offered.
func TestCheck_NoRowIsValid_OffersTheCorrectionOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,no,Acme\n")
	page := s.get(at + "/check").body
	if to := words(page); !strings.Contains(to, "Correct first, then import all") || strings.Contains(to, "Import 0") {
		t.Errorf("the check of a file without a valid row:\n%s", to)
	}
	if !strings.Contains(page, `type="hidden" name="first" value="yes"`) {
		t.Error("the rows would run without a correction")
	}
}

// between returns the text between two others.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	out, _, end := strings.Cut(rest, after)
	if !ok || !end {
		t.Fatalf("there is no %s…%s", before, after)
	}
	return out
}

// TestWizard_CorrectFirst_HoldsAllRows: no row runs before the user has decided about the invalid
// one.
func TestWizard_CorrectFirst_HoldsAllRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,1,Acme\nB,b,no,Acme\n")
	to := s.send(at, "act", "start", "first", "yes").header.Get("Location")
	s.work()
	for range 100 {
		if strings.Contains(words(s.get(to).body), "Paused") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the import is not held:\n%s", words(s.get(to).body))
}

// TestWizard_FileOfAnotherEncoding_IsReadAsChosen: the user chooses the encoding in which the text is readable.
func TestWizard_FileOfAnotherEncoding_IsReadAsChosen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU,Name,Price\nA,\xcc\xee\xeb\xee\xf2\xee\xea,1\n")
	s.send(at, "act", "look", "encoding", "windows-1251")
	tells(t, s.get(at).body, "windows-1251", "Молоток")
	s.send(at, "act", "look", "encoding", "windows-1251", "delimiter", ";")
	tells(t, s.get(at).body, "SKU, Name, Price are required and not matched")
}

// TestWizard_UnusualValues_AreNamedBeforeTheImport has two brands that the handler refuses.
func TestWizard_UnusualValues_AreNamedBeforeTheImport(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,1,Acne\nC,c,1,<b>x\n")
	page := s.get(at + "/check").body
	tells(t, page, "3 rows in the file", "2 rows have an unusual value in Brand, which the import may reject:", "<b>x", "Acne")
	if n := strings.Count(page, `<td class="unusual">`); n != 2 {
		t.Errorf("%d cells are marked as unusual, want 2", n)
	}
}
