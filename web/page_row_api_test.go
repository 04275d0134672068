package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// TestRowPage_RowThatIsLeftAlone_IsNotToldToRun: a row that has failed since the press
// began, as its clock says, is saved and does not run.
func TestRowPage_RowThatIsLeftAlone_IsNotToldToRun(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,1,Nobody\n", "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand"}, 1)
	for _, step := range []struct {
		pass time.Duration
		says string
		not  string
	}{
		{-time.Hour, "No problems found so far.", "runs again."},
		{2 * time.Hour, "Row 2 runs again.", "No problems found so far."},
	} {
		l.pass(step.pass)
		row := "/tasks/" + id + "/rows/1"
		form := "act=resubmit&cell:Brand=Acme&version=" + version(t, l.look(row, "Accept", htmlType).body)
		r := l.call(http.MethodPost, row, form, "Content-Type", "application/x-www-form-urlencoded", "Accept", htmlType)
		r.is(http.StatusSeeOther)
		page := l.look(r.header.Get("Location"), "Accept", htmlType).body
		if !strings.Contains(page, step.says) || strings.Contains(page, step.not) {
			t.Errorf("%v later the page does not say %q, or says %q:\n%s", step.pass, step.says, step.not, words(page))
		}
	}
}
