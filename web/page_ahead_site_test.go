package web_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestPages_RowBehindRowOfItsKey_NamesRowAndTask: the pages of a row and of its task name the row that goes first,
// without an id. That row is in the same file or in an earlier one.
func TestPages_RowBehindRowOfItsKey_NamesRowAndTask(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.busy(3)
	later := d.acme.imported("No,tel\nA,+14155550188\n")
	d.split()
	d.feed()
	_, secret := d.member("acme", access.Viewer)
	viewer := d.as(secret)
	for _, at := range []string{"/tasks/" + d.task + "/rows/2", "/tasks/" + later + "/rows/1", "/tasks/" + later} {
		page := viewer.page(at)
		tells(t, page, "Waiting: row 2 of “a.csv” goes first.")
		if strings.Contains(words(page), d.task) {
			t.Errorf("%s shows an id:\n%s", at, words(page))
		}
	}
}
