package web_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestFix_MoreRowsThanAreCounted_CardSaysAtLeast: the counts of single texts are of the first 1,000 failed rows.
func TestFix_MoreRowsThanAreCounted_CardSaysAtLeast(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, ledgers.SQLite(t))
	id := l.accepted("p.csv", heads+strings.Repeat("S,a,1 EUR,Acme\nT,b,bad2,Acme\n", 510), "")
	l.split()
	page := l.look("/tasks/"+id, "Accept", htmlType).body
	tells(t, page, "1,020 rows", "1 EUR at least 500 rows", "bad2 at least 500 rows", "No suggestion.", "Fix and run at least 500 rows")
	if !strings.Contains(page, `data-some="Fix and run at least {n} rows"`) {
		t.Error("the button cannot say how many rows it corrects at least")
	}
}
