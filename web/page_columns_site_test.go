package web_test

import (
	"strings"
	"testing"
)

// TestColumns_SeveralAreMissing_OneMessageNamesAll checks the message, the sentence beside the button, and
// that the button works without a script.
func TestColumns_SeveralAreMissing_OneMessageNamesAll(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := s.sent("p.csv", "Artikel,Bezeichnung,Preis\nG-1,Stuhl,10\n")
	page := s.get(at).body
	if n := strings.Count(words(page), "SKU, Name are required and not matched."); n != 2 {
		t.Errorf("the columns are named %d times, want in the message and beside the button: %s", n, words(page))
	}
	tells(t, page, "Choose the matching columns of the file below.")
	if n := strings.Count(page, `class="msg warn" role="status"`); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	if !strings.Contains(page, `value="next" data-lacks aria-describedby="state">`) {
		t.Errorf("the button has no reason, or is disabled without a script")
	}
	s.send(at, "act", "next", "map:Preis", "Price")
	tells(t, s.get(at+"/check").body, "Match 2 required columns first")
}
