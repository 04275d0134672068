package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// member is a row whose sensitive columns have no rules.
type member struct {
	No   string    `row:"No"`
	Pass string    `row:"Pass" alias:"code" sensitive:"true"`
	Born time.Time `row:"Born" sensitive:"true"`
}

// TestSensitive_MasksInANewImport_AreFaults: a viewer's result, imported as a new file, would write masks
// as data. Each way to add rows refuses the row and names the column.
func TestSensitive_MasksInANewImport_AreFaults(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("members.import",
			func(context.Context, *worker.Job[member]) error { return nil })))
	})
	row := func(no, pass, born string) string {
		return `{"No":"` + no + `","code":"` + pass + `","Born":"` + born + `"}`
	}
	bad, good := row("1", "••••0199", ""), row("•••• 2", "0199", "2001-02-03")
	doors := map[string]reply{
		"file":      l.postForm(field("kind", "members.import"), file("a.csv", "No,code,Born\n1, ••••0199,\n•••• 2,0199,2001-02-03\n")),
		"JSON":      l.postTo("/api/v1/tasks", `{"kind":"members.import","rows":[`+bad+`,`+good+`]}`),
		"JSONLines": l.call(http.MethodPost, "/api/v1/tasks?kind=members.import", bad+"\n"+good+"\n", "Content-Type", "application/x-ndjson"),
	}
	l.split()
	for door, r := range doors {
		id := r.object()["id"].(string)
		task := l.look("/api/v1/tasks/" + id)
		task.says("counts.failed", 1, "counts.total", 2)
		failed := l.look("/api/v1/events/" + id + ".1").body
		for _, want := range []string{`"code":"INVALID_VALUE"`, `"column":"Pass"`, `"value":"••••0199"`, "is masked"} {
			if !strings.Contains(failed, want) {
				t.Errorf("%s: no %s: %s", door, want, failed)
			}
		}
	}
	imported := doors["file"].object()["id"].(string)
	l.patch(imported+".1", `"1"`, `{"params":{"Born":"••••2-03"}}`).refuses(http.StatusUnprocessableEntity, "INVALID_CELL", "/params/Born")
	l.patch(imported+".1", `"1"`, `{"params":{"No":"5"}}`).says("status", "failed", "column", "Pass")
	l.review(imported, "resubmit", `{"filter":{}}`).says("resubmitted", 0, "still_invalid", 1)
	l.patch(imported+".1", `"2"`, `{"params":{"Pass":"secret"}}`).says("resolution.state", "fixed")
	open := l.postTo("/api/v1/tasks", `{"kind":"members.import","open":true}`).object()["id"].(string)
	added := l.postTo("/api/v1/tasks/"+open+"/jobs", `{"rows":[`+bad+`,`+good+`]}`)
	added.says("rejected", 1)
	tells(t, added.body, `"column":"Pass"`, "is masked")
	r := l.postForm(field("kind", "members.import"), file("b.csv", "No,Pass,Born\n1,x,••••2-03\n"))
	l.split()
	tells(t, l.look("/api/v1/events/"+r.object()["id"].(string)+".1").body, `"column":"Born"`, "is masked")
}
