package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestWizard_ColumnOfTimes_DelaysRows: the reader chooses a heading, the check reads its cells as
// times, and rows wait for their time. If the file is then read with other headings, the choice is
// dropped.
func TestWizard_ColumnOfTimes_DelaysRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "SKU,Name,Price,Begin\nA,a,1,\nB,b,1,2999-01-01\nC,c,1,soon\n")
	tells(t, s.get(at).body, "Start time of each row", "All rows run at once", "Begin", "without a time zone is in UTC")
	form := []string{"act", "next", "map:SKU", "SKU", "map:Name", "Name", "map:Price", "Price", "run_at_column", "Begin"}
	if to := s.send(at, form...).header.Get("Location"); to != at+"/check" {
		t.Fatalf("a column of times leads to %q", to)
	}
	tells(t, s.get(at+"/check").body, "1 needs a correction", "Each row waits for the time in its column Begin.", "soon")
	if page := s.get(at).body; !strings.Contains(page, `<option value="Begin" selected>`) {
		t.Error("the column that was chosen is not selected")
	}
	s.send(at, "act", "look", "header_row", "2", "run_at_column", "Begin")
	if page := s.get(at).body; strings.Contains(page, `<option value="Begin"`) {
		t.Errorf("a heading that the file does not have is selected:\n%s", words(page))
	}
	s.send(at, form...)
	task := s.send(at, "act", "start").header.Get("Location")
	s.work()
	page := func() string { return words(s.get(task + "/rows/2").body) }
	if !testenv.Await(20*time.Second, func() bool { return strings.Contains(page(), "1 Jan 2999") }) {
		t.Fatalf("the row does not wait for its time:\n%s", page())
	}
}
