package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestAFileIsAskedForOnAPage: a wrong request is explained beside its field, and a valid one adds a
// task that makes the file.
func TestAFileIsAskedForOnAPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	page := s.get("/exports").body
	tells(t, page, "New export", "Promotion price list", "Brand (optional)", "Acme", "Discount, %", "From 1 to 90.",
		"Excel (.xlsx)", "Sale price", "Create file", "No file has been created yet.")
	form := []string{"kind", "promos.export", "format", "csv", "column", "SKU", "column", "Name"}
	a := s.send("/exports", append(form, "param:Brand", "Acme", "param:Discount", "<b>many")...)
	if a.status != http.StatusUnprocessableEntity || strings.Contains(a.body, "<b>many") ||
		!strings.Contains(a.body, `value="&lt;b&gt;many"`) || !strings.Contains(a.body, `<option selected>Acme`) {
		t.Errorf("what was typed is not there again, %d:\n%s", a.status, a.body)
	}
	tells(t, a.body, "The file was not created. Correct “Discount, %”.", "Discount", "is not a number")
	high := s.send("/exports", append(form, "param:Brand", "Acme", "param:Discount", "200")...)
	tells(t, high.body, "The file was not created. Correct “Discount, %”.", "Discount must be 90 or less. From 1 to 90.")
	if strings.Contains(high.body, "errors lists") {
		t.Errorf("the page speaks of a member of the answer: %s", words(high.body))
	}
	a = s.send("/exports", append(form, "param:Brand", "Acme", "param:Discount", "20")...)
	to := a.header.Get("Location")
	if a.status != http.StatusSeeOther || !strings.HasPrefix(to, "/tasks/") {
		t.Fatalf("%d to %q:\n%s", a.status, to, words(a.body))
	}
	page = s.get(to).body
	tells(t, page, "Promotion price list", "Waiting", "Requested")
	if !strings.Contains(page, `<a href="/exports" aria-current="true"`) || strings.Contains(page, `<a href="/" aria-current`) {
		t.Error("the page of an export is not part of the exports")
	}
	if strings.Contains(words(page), "imported") || strings.Contains(words(page), "Uploaded") {
		t.Errorf("an export was imported:\n%s", words(page))
	}
	tells(t, s.get("/exports").body, "Promotion price list", "Waiting")
	if strings.Contains(s.get("/").body, to) {
		t.Error("it stands among the imports, too")
	}
	if a := s.send("/exports", "kind", "products.import", "format", "csv"); a.status != http.StatusUnprocessableEntity {
		t.Errorf("a kind that makes no files: %d", a.status)
	}
}
