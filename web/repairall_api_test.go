package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web/request"
)

// TestResubmitAll_Filter_ReachesTheRowsOfAllTasks: the rows of the tenant are selected by code, time,
// key and text. Each task has its own act.
func TestResubmitAll_Filter_ReachesTheRowsOfAllTasks(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		_, secret := l.member("acme", access.Reviewer)
		acme := l.as(secret)
		acme.tenant = "acme"
		_, secret = l.member("globex", access.Reviewer)
		globex := l.as(secret)
		const bad = heads + "S1,,1,Acme\nS2,c,-3,Acme\nS3,d,1,Acme\n"
		first, other := acme.accepted("p.csv", bad, ""), globex.accepted("p.csv", bad, "")
		l.split()
		l.pass(time.Hour)
		since := l.clock().UTC().Format(time.RFC3339)
		last := acme.accepted("p.csv", bad, "")
		l.split()
		acme.move(last, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no such brand"}, 3)
		l.pass(time.Second)
		press := func(act, body string) reply { return acme.postTo("/api/v1/rows/"+act, body) }

		for filter, matched := range map[string]int{
			`{}`: 5, `{"code":"REQUIRED"}`: 2, `{"key":"S2"}`: 2, `{"q":"no such brand"}`: 1, `{"q":"4"}`: 0, `{"finished_gte":"` + since + `"}`: 3,
			`{"finished_lt":"` + since + `"}`: 2, `{"status":"error"}`: 0, `{"column":"Price","resolution":"open"}`: 2,
		} {
			press("resubmit", `{"dry_run":true,"filter":`+filter+`}`).says("act", "resubmit", "matched", matched, "next_cursor", nil)
		}
		acme.postTo("/api/v1/tasks/"+last+"/resubmit", `{"dry_run":true,"filter":{"q":"4"}}`).says("matched", 1) // row 4
		press("skip", `{"kind":"other","filter":{}}`).says("matched", 0, "tasks", 0)
		at := "?cursor=" + request.Cursor(acme.task(last).Num)
		press("skip"+at, `{"dry_run":true,"filter":{}}`).says("matched", 2, "tasks", 1)

		press("skip", `{"filter":{"code":"REQUIRED"},"state":"accepted"}`).refuses(422, "INVALID_FIELD", "/note")
		press("skip", `{"filter":{"code":"REQUIRED"},"state":"accepted","note":"by hand"}`).says("act", "accept", "tasks", 2, "done", 2)
		press("resubmit", `{"filter":{},"patch":{"set":{"Price":"7"}}}`).refuses(422, "INVALID_FIELD", "/kind")
		press("resubmit", `{"kind":"products.import","filter":{"column":"Price"},"patch":{"set":{"Price":"7"}}}`).says("tasks", 2, "resubmitted", 2, "still_invalid", 0)
		for _, id := range []string{first, last} {
			acme.look("/api/v1/events/"+id+".1").says("resolution.state", "accepted", "resolution.note", "by hand")
			acme.look("/api/v1/events/"+id+".2").says("status", "enqueue", "params.Price", "7")
			acme.agrees(id)
		}
		globex.look("/api/v1/tasks/"+other).says("counts.failed", 2, "counts.skipped", 0)

		for patch, code := range map[string]string{
			`{"set":{"Nope":"1"}}`: "INVALID_CELL", `{"set":{"Price":[1]}}`: "NESTED_VALUE", `{"set":{"Price":1e400}}`: "NUMBER_OUT_OF_RANGE", `{"set":[]}`: "MALFORMED_JSON",
		} {
			press("resubmit", `{"kind":"products.import","filter":{},"patch":`+patch+`}`).refuses(422, code)
		}
		press("skip", `{}`).refuses(422, "INVALID_FIELD", "/filter")
		press("skip", `{"filter":{"code":""}}`).refuses(422, "INVALID_FIELD", "Omit it")
		press("skip", `{"filter":{},"ids":["x"]}`).refuses(422, "INVALID_FIELD", "ids")
		press("resubmit", `{"filter":{"status":"finish"}}`).refuses(422, "INVALID_FIELD", "build or finished_gte")
		press("resubmit", `{"filter":{"fingerprint":"0123456789abcdef"}}`).refuses(http.StatusForbidden, "SCOPE_MISSING", "ops:read")
		_, secret = l.member("acme", access.Viewer)
		l.as(secret).postTo("/api/v1/rows/skip", `{"filter":{}}`).refuses(http.StatusForbidden, "SCOPE_MISSING")
	})
}
