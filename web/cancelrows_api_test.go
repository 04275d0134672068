package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web"
)

// TestCancelRows_Filter_CancelsWaitingRowsOnly cancels rows of one task by key, text, number and ID. Some of the
// rows are in Redis. Running rows stay, and the last canceled row ends the task.
func TestCancelRows_Filter_CancelsWaitingRowsOnly(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url, func(o *web.Options) { o.CancelGrace = time.Millisecond })
		_, secret := l.member("acme", access.Operator)
		acme := l.as(secret)
		acme.tenant = "acme"
		_, secret = l.member("globex", access.Operator)
		globex := l.as(secret)
		const file = heads + "S1,one,1,Acme\nS2,two,1,Acme\nS3,three,1,Acme\nS4,four,1,Acme\nS5,five,1,Acme\nS6,six,-1,Acme\n"
		id := acme.accepted("p.csv", file, "")
		l.split()
		path := "/api/v1/tasks/" + id + "/rows/cancel"
		cancel := func(body string) reply { return acme.postTo(path, body) }

		for filter, matched := range map[string]int{`{}`: 5, `{"key":"S2"}`: 1, `{"q":"THREE"}`: 1, `{"row_gte":4}`: 3, `{"code":"REQUIRED"}`: 0, `{"column":"Price"}`: 0} {
			cancel(`{"dry_run":true,"filter":` + filter + `}`).same(`{"dry_run":true,"matched":` + strconv.Itoa(matched) + `,"canceled":0,"running":0}`)
		}
		acme.look("/api/v1/tasks/"+id).says("counts.enqueue", 5)
		cancel(`{"filter":{"key":"S2"},"note":"not sold"}`).same(`{"dry_run":false,"matched":1,"canceled":1,"running":0}`)
		fine(t, feed.NewFeeder(l.opt.Tasks, l.opt.Events, l.opt.Queue, l.opt.Kinds, feed.Options{Now: l.clock}).Feed(t.Context()))
		acme.move(id, events.Working, nil, 1)
		cancel(`{"ids":["` + id + `.3","` + id + `.1"]}`).same(`{"dry_run":false,"matched":1,"canceled":1,"running":0}`)
		cancel(`{"filter":{"q":"three"}}`).says("matched", 0)
		acme.look("/api/v1/tasks/"+id).says("status", "running", "counts.canceled", 2, "counts.working", 1, "counts.enqueue", 2)
		acme.look("/api/v1/events/"+id+".2").says("status", "canceled")
		acme.agrees(id)
		if audit := acme.look("/api/v1/tasks/" + id + "/audit").body; strings.Count(audit, `"cancel-rows"`) != 2 || !strings.Contains(audit, "not sold") {
			t.Errorf("audit: %s", audit)
		}
		if page := acme.look("/tasks/"+id, "Accept", "text/html").body; !strings.Contains(page, "1 waiting row canceled") {
			t.Error("the page of the task does not list the cancel")
		}

		for body, says := range map[string]string{
			`{}`: "/filter", `{"filter":{"key":""}}`: "Omit it", `{"filter":{"q":"\u00a0 "}}`: "Omit it", `{"filter":{},"ids":["x"]}`: "/filter", `{"ids":[]}`: "/ids", `{"ids":["x"]}`: "/ids/0",
			`{"filter":{"row_gte":-1}}`: "row_gte", `{"filter":{"status":"failed"}}`: "status", `{"filter":{"q":"x"},"kind":"k"}`: "kind", `{"filter":{"key":"\u0000"}}`: "key",
		} {
			cancel(body).refuses(422, "INVALID_FIELD", says)
		}
		acme.postTo(path, "").refuses(http.StatusBadRequest, "MALFORMED_JSON")
		globex.postTo(path, `{"filter":{}}`).refuses(http.StatusNotFound, "NOT_FOUND")
		_, secret = l.member("acme", access.Viewer)
		l.as(secret).postTo(path, `{"filter":{}}`).refuses(http.StatusForbidden, "SCOPE_MISSING")
		cancel(`{"filter":{}}`)
		acme.look("/api/v1/tasks/"+id).says("counts.canceled", 4, "counts.working", 1, "done", false)
		_, err := l.opt.Events.Record(t.Context(), []events.Move{{
			ID: events.NewID(acme.task(id).Num, 1), Row: 2, From: events.Working, FromAttempt: 1, To: events.Finish, Attempt: 1, FinishedAt: l.now.Load(),
		}})
		fine(t, err)
		acme.look("/api/v1/tasks/"+id).says("counts.canceled", 4, "counts.finish", 1, "done", true, "status", "finished_with_failures")
		cancel(`{"filter":{}}`).refuses(http.StatusConflict, "WRONG_STATUS", "unfinished")
		acme.agrees(id)
	})
}

// TestCancelRows_Resubmitted_CanBeResubmittedAgain: rows that failed and were resubmitted fail again when they are
// canceled.
func TestCancelRows_Resubmitted_CanBeResubmittedAgain(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url, func(o *web.Options) { o.CancelGrace = time.Millisecond })
		id := l.accepted("p.csv", rows(2), "")
		l.split()
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "no such brand"}, 1, 2)
		l.postTo("/api/v1/tasks/"+id+"/resubmit", `{"filter":{}}`).is(http.StatusAccepted)
		l.postTo("/api/v1/tasks/"+id+"/rows/cancel", `{"filter":{"key":"S0"}}`).says("canceled", 1)
		l.look("/api/v1/events/"+id+".1").says("status", "failed", "code", "CANCELED")
		l.look("/api/v1/tasks/"+id).says("counts.failed", 1, "counts.enqueue", 1)
		l.agrees(id)
		l.postTo("/api/v1/tasks/"+id+"/rows/cancel", `{"filter":{}}`).says("canceled", 1)
		l.look("/api/v1/tasks/"+id).says("counts.failed", 2, "done", true)
		l.postTo("/api/v1/tasks/"+id+"/resubmit", `{"filter":{"code":"CANCELED"}}`).says("resubmitted", 2)
		l.look("/api/v1/tasks/"+id).says("counts.failed", 0, "counts.enqueue", 2)
		l.agrees(id)
	})
}

// TestCancelAllRows_Filter_ReachesAllTasks cancels rows in all tasks of the tenant, of a kind, and of a time.
func TestCancelAllRows_Filter_ReachesAllTasks(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url, func(o *web.Options) { o.CancelGrace = time.Millisecond })
		_, secret := l.member("acme", access.Operator)
		acme := l.as(secret)
		acme.tenant = "acme"
		_, secret = l.member("globex", access.Operator)
		globex := l.as(secret)
		first, other := acme.accepted("p.csv", rows(3), ""), globex.accepted("p.csv", rows(3), "")
		l.split()
		l.pass(time.Hour)
		since := l.clock().UTC().Format(time.RFC3339)
		last := acme.accepted("p.csv", rows(3), "")
		l.split()
		cancel := func(body string) reply { return acme.postTo("/api/v1/rows/cancel", body) }
		for body, matched := range map[string]int{
			`"filter":{}`: 6, `"filter":{"key":"S1"}`: 2, `"filter":{},"created_after":"` + since + `"`: 3, `"filter":{},"created_before":"` + since + `"`: 3,
			`"filter":{},"kind":"other"`: 0,
		} {
			cancel(`{"dry_run":true,`+body+`}`).says("matched", matched, "canceled", 0, "next_cursor", nil)
		}
		cancel(`{"filter":{"key":"S1"}}`).same(`{"dry_run":false,"matched":2,"canceled":2,"running":0,"tasks":2,"next_cursor":null}`)
		cancel(`{"filter":{},"created_before":"`+since+`"}`).says("canceled", 2, "tasks", 1)
		acme.look("/api/v1/tasks/"+first).says("counts.canceled", 3, "done", true)
		acme.look("/api/v1/tasks/"+last).says("counts.canceled", 1, "counts.enqueue", 2)
		globex.look("/api/v1/tasks/"+other).says("counts.canceled", 0, "counts.enqueue", 3)
		acme.agrees(first)
		acme.agrees(last)
		for body, says := range map[string]string{
			`{}`: "/filter", `{"filter":{},"created_after":"yesterday"}`: "created_after", `{"filter":{},"ids":["x"]}`: "ids", `{"filter":{"row_gte":-1}}`: "row_gte",
		} {
			cancel(body).refuses(422, "INVALID_FIELD", says)
		}
		_, secret = l.member("acme", access.Viewer)
		l.as(secret).postTo("/api/v1/rows/cancel", `{"filter":{}}`).refuses(http.StatusForbidden, "SCOPE_MISSING")
	})
}
