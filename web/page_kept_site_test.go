package web_test

import (
	"strings"
	"testing"
	"time"
)

// TestKept_CorrectFirst_OneButtonImportsAllReadyRows goes from "Correct first, then import all" to the
// import. The page says what is ready, and nothing is said to have run.
func TestKept_CorrectFirst_OneButtonImportsAllReadyRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,1,Acme\nB,b,no,Acme\nC,c,3,Acme\n")
	path := s.kept(at)
	page := s.get(path).body
	tells(t, page, "Import 2 rows", "Stop…", "Nothing is imported yet. 2 rows are ready. 1 row needs a correction")
	lacks(t, page, "in the queue", "resume the", "Resume", "What is wrong with the file", "cancel it")
	tells(t, s.get("/?tab=correct").body, "To do 1", "p.csv", "To correct 1 row", "Correct 1 , p.csv")

	s.send(path+"/rows/2", "version", version(t, s.get(path+"/rows/2").body), "act", "save", "cell:Price", "2")
	page = s.get(path).body
	tells(t, page, "Import 3 rows", "Nothing is imported yet. 3 rows are ready.", "ready to run")
	lacks(t, page, "No row has failed", "No row failed", "Resume", "ready row")
	tells(t, s.get("/?tab=correct").body, "To do 1", "p.csv", "Ready to import 3 rows", "Import 3 , p.csv")
	if to := s.send(path+"/resume", "ready", "run").header.Get("Location"); to != path {
		t.Fatalf("the import leads to %q", to)
	}
	done := s.finished(path)
	tells(t, done, "3 rows are imported", "It finished now")
	if !strings.Contains(done, ` UTC">now</time>`) {
		t.Error("the exact time is not with the relative one")
	}
	tells(t, s.get(path).body, "1 row sent to run")
	lacks(t, s.get(path).body, "run again")
}

// TestKept_RowSentToRun_IsReadyToImport checks the message on a row that is sent before the import.
func TestKept_RowSentToRun_IsReadyToImport(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,1,Acme\nB,b,no,Acme\n")
	path := s.kept(at)
	s.send(path+"/rows/2", "version", version(t, s.get(path+"/rows/2").body), "act", "save", "cell:Price", "2")
	a := s.send(path+"/repair", "act", "resubmit", "rows", "all", "resolution", "fixed", "go", "1", "back", "task")
	page := s.get(a.header.Get("Location")).body
	tells(t, page, "1 row is ready to import.", "Import 2 rows", "Nothing is imported yet. 2 rows are ready.")
	lacks(t, page, "No row has failed", "resume")
}

// TestKept_Fix_RunsNotBeforeTheImport checks the message of a fix, and the same address after its undo, which
// the Back button shows.
func TestKept_Fix_RunsNotBeforeTheImport(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,1,Acme\nB,b,12.50 EUR,Acme\n")
	path := s.kept(at)
	fix := []string{"code", "INVALID_NUMBER", "column", "Price", "from", "12.50 EUR", "to", "12.50"}
	back := s.send(path+"/fix", fix...).header.Get("Location")
	page := s.get(back).body
	tells(t, page, "“12.50 EUR” becomes “12.50” in 1 row. 1 row is ready to import.", "Undo", "Import 2 rows")
	lacks(t, page, "The run starts", "Run now")
	undone := s.send(path+"/repair", "act", "undo", "act_id", actIn.FindStringSubmatch(page)[1], "go", "1", "back", "task")
	tells(t, s.get(undone.header.Get("Location")).body, "1 row has its previous values again.", "Import 1 row")
	lacks(t, s.get(back).body, "becomes “12.50” in 1 row.")
}

// TestKept_FixOfRowsWithAnotherFault_CountsOnlyTheOthers checks the message of fixes after which some or all of
// the rows are still wrong.
func TestKept_FixOfRowsWithAnotherFault_CountsOnlyTheOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.kept(s.sent("p.csv", heading+"A,a,1,Acme\nB,,1,Acme\nC,,12.50 EUR,Acme\nD,,12.50 EUR,Acme\n"))
	fix := []string{"code", "REQUIRED", "column", "Name", "from", "", "to", "x"}
	page := s.get(s.send(path+"/fix", fix...).header.Get("Location")).body
	tells(t, page, "2 of these rows have another error. 1 row is ready to import.", "Undo", "Import 2 rows")

	path = s.kept(s.sent("q.csv", heading+"A,a,1,Acme\nC,,12.50 EUR,Acme\nD,,12.50 EUR,Acme\n"))
	page = s.get(s.send(path+"/fix", fix...).header.Get("Location")).body
	tells(t, page, "2 of these rows have another error.", "Undo", "Import 1 row")
	lacks(t, page, "ready to import", "run again")
}

// TestRowForm_NextWithoutAChange_IsNoAct presses "Save, next row" on an unchanged form: nothing is saved, and the
// next row has its message and the focus.
func TestRowForm_NextWithoutAChange_IsNoAct(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", heading+"A,a,one,Acme\nB,b,two,Acme\n")
	path := s.send(at, "act", "start", "first", "yes").header.Get("Location")
	s.work()
	s.finished(path)
	first := s.get(path + "/rows/1").body
	form := []string{"version", version(t, first), "act", "next", "cell:SKU", "A", "cell:Name", "a", "cell:Price", "one", "cell:Brand", "Acme"}
	next := s.get(s.send(path+"/rows/1", form...).header.Get("Location")).body
	tells(t, next, "Row 2 is unchanged.", "Row 3 of the file")
	lacks(t, next, "Undo")
	if !strings.Contains(next, "autofocus") {
		t.Error("the field at fault has no focus")
	}
	if version(t, s.get(path+"/rows/1").body) != version(t, first) {
		t.Error("the row was changed")
	}
	lacks(t, s.get(path).body, "1 row edited")
}

// kept starts the import of an upload with "Correct first", and returns its path once the file is read.
func (s *site) kept(at string) (path string) {
	s.t.Helper()
	path = s.send(at, "act", "start", "first", "yes").header.Get("Location")
	s.work()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(words(s.get(path).body), "Paused"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the import is not kept: %s", words(s.get(path).body))
		}
	}
	return path
}

// lacks checks that the words of a page do not contain any of the texts.
func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(words(page), text) {
			t.Errorf("the page says %q: %s", text, words(page))
		}
	}
}
