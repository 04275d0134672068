package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
)

// TestOpsFind_IDKeyOrText_LeadsToTheJob: a job of the tenant is found by the id of its row or
// task, by its key in every task, and by a text of its error. Jobs of other tenants are not found.
func TestOpsFind_IDKeyOrText_LeadsToTheJob(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	again := acme.imported("No,tel\nA,+14155550133\n")
	d.split()
	acme.move(again, events.Failed, &events.Failure{Code: "X", Message: "The clinic in Berlin is closed."}, 1)
	for q, want := range map[string]string{
		d.task + ".2": "/ops/rows/" + d.task + ".2", d.task: "/tasks/" + d.task,
	} {
		r := acme.call(http.MethodGet, "/ops/rows?q="+q, "", "Accept", htmlType)
		if r.status != http.StatusSeeOther || r.header.Get("Location") != want {
			t.Errorf("%s leads with %d to %q, want %s", q, r.status, r.header.Get("Location"), want)
		}
	}
	byKey := acme.page("/ops/rows?q=A")
	tells(t, byKey, "Rows with the key A", "Row 2 of a.csv", "To correct", "The clinic in Berlin is closed.", "Row 3 of a.csv", "Waiting", "Row 2 of a.csv", "Waiting")
	if n := strings.Count(byKey, again+".1"); n != 1 {
		t.Errorf("a row of the key is listed %d times", n)
	}
	tells(t, acme.page("/ops/rows?q=in+BERLIN"), "Failed rows that contain “in BERLIN”", "Row 2 of a.csv", "To correct", "The clinic in Berlin")
	tells(t, acme.page("/ops/rows?q=nowhere"), "Nothing found", "Keys and IDs must match exactly")
	other := d.globex.in(t).page("/ops/rows?q=Berlin")
	if tells(t, other, "Nothing found"); strings.Contains(other, again) {
		t.Error("another tenant finds the row")
	}
	if r := d.globex.in(t).look("/ops/rows/"+again+".1", "Accept", htmlType); r.status != http.StatusNotFound {
		t.Errorf("another tenant opens the job: %d", r.status)
	}
}

// TestOpsRow_Attempts_AreATimeline: the newest step comes first, each attempt shows how long it
// waited and ran, and a button runs the row again.
func TestOpsRow_Attempts_AreATimeline(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	acme.move(d.task, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "stock service answered 503"}, 1)
	at := "/ops/rows/" + d.task + ".1"
	tells(t, acme.page(at), "Row 2 of a.csv", "Run again", "Open in the import", "System error", "Timeline",
		"Accepted as row 2", "Values of the row", "Rows with the same key, in order", "Before no row", "Behind Row 3 of a.csv Waiting", "Import a.csv")
	again := acme.submits(at+"/run", "meant", "yes")
	tells(t, again.body, "The row runs again.", "Row 2 of a.csv", "Waiting")
}
