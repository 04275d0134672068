package web_test

import (
	"strings"
	"testing"
)

// TestClosed_StoppedImport_OffersNoCorrections checks that the page of a stopped import offers its
// rows with errors as a download. The question before the stop says that they cannot be corrected.
func TestClosed_StoppedImport_OffersNoCorrections(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("c.csv", heads+"A,a,-1,Acme\nB,b,1,Acme\n", "")
	l.split()
	tells(t, string(l.look("/tasks/"+id).body), "can no longer be corrected here", "1 to correct", "You can correct rows")
	for name, page := range map[string]string{"stopping": l.pressButton(id, "cancel"), "stopped": closedPage(l, id)} {
		text := words(page)
		for _, want := range []string{"1 with errors", "Rows with errors", "Rows to correct, Excel", "import the file as a new one", "See rows"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", name, want, text)
			}
		}
		for _, not := range []string{"correction", "1 to correct", "in the grid", "You can correct rows", "/repair"} {
			if strings.Contains(text, not) || not == "/repair" && strings.Contains(page, "/tasks/"+id+not) {
				t.Errorf("%s: the page still offers %q: %s", name, not, text)
			}
		}
	}
}

func closedPage(l *lab, id string) string {
	l.canceled()
	return string(l.look("/tasks/" + id).body)
}
