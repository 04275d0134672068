package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
)

// why checks the codes of the reasons that explain a row, and returns the last reason.
func (l *lab) why(row string, codes ...string) map[string]any {
	l.t.Helper()
	r := l.look("/api/v1/events/" + row + "/explain")
	r.is(http.StatusOK)
	var got []string
	var last map[string]any
	for _, one := range r.object()["reasons"].([]any) {
		last = one.(map[string]any)
		got = append(got, last["code"].(string))
		if text := last["detail"].(string); text == "" || strings.Contains(text, "{") {
			l.t.Errorf("%s says %q", last["code"], text)
		}
	}
	if !slices.Equal(got, codes) {
		l.t.Errorf("%s is explained by %v, want %v: %s", row, got, codes, r.body)
	}
	return last
}

// TestWhyARowWaits tests rows in Redis, and rows that are not in Redis yet.
func TestWhyARowWaits(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	first, second := d.task+".1", d.task+".2"
	d.acme.why(first, "NO_WORKER", "DUE")
	if r := d.acme.why(second, "NO_WORKER", "BEHIND_ROW"); r["behind"] != first || r["place"] != 1.0 {
		t.Errorf("the row behind it: %v", r)
	}
	d.home.postTo(queuesPath+"/"+patients+"/pause", "").is(http.StatusOK)
	d.acme.postTo("/api/v1/tasks/"+d.task+"/pause", "").is(http.StatusOK)
	d.acme.why(first, "TASK_PAUSED", "QUEUE_PAUSED", "NO_WORKER", "DUE")
	d.acme.postTo("/api/v1/tasks/"+d.task+"/resume", "").is(http.StatusOK)
	d.home.postTo(queuesPath+"/"+patients+"/resume", "").is(http.StatusOK)
	d.pass(-time.Hour)
	d.acme.why(first, "NO_WORKER", "WAITS_FOR_ITS_TIME")
	d.pass(time.Hour)

	late := d.acme.imported("No,tel\nX,+14155550177\nY,+14155550178\n")
	d.split()
	if r := d.acme.why(late+".2", "NO_WORKER", "NOT_FED"); r["place"] != 1.0 {
		t.Errorf("rows before it: %v", r)
	}
	next := d.acme.why(late+".1", "NO_WORKER", "NOT_FED")
	if text := next["detail"].(string); next["place"] != 0.0 || !strings.Contains(text, "is the next one to push for its tenant") {
		t.Errorf("the next row: %v", next)
	}
	d.acme.call(http.MethodPut, "/api/v1/tenants/acme/limits", `{"slots":3}`, "Content-Type", jsonType).is(http.StatusOK)
	d.acme.why(late+".1", "NO_WORKER", "TENANT_SLOTS", "NOT_FED")
	d.acme.call(http.MethodPut, "/api/v1/tenants/acme/limits", `{"slots":3,"paused":true}`, "Content-Type", jsonType).is(http.StatusOK)
	d.acme.why(late+".1", "NO_WORKER", "TENANT_PAUSED", "NOT_FED")
	d.acme.call(http.MethodPut, "/api/v1/tenants/acme/limits", `{"slots":3,"paused":false}`, "Content-Type", jsonType).is(http.StatusOK)
	for _, step := range [][2]string{{"hold = 'block'", "TASK_HELD"}, {"hold = '', run_at = 9000000000000", "TASK_NOT_YET"}} {
		fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET "+step[0]+" WHERE id = '"+late+"'").Error)
		d.acme.why(late+".1", step[1], "NO_WORKER")
	}
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET run_at = 0, status = 'canceling' WHERE id = '"+late+"'").Error)
	d.acme.why(late+".1", "TASK_CANCELING", "NO_WORKER", "TENANT_SLOTS", "NOT_FED")

	d.redis.FlushAll()
	d.acme.why(first, "NO_WORKER", "LOST")
	d.tenant = "acme"
	d.move(d.task, events.Working, nil, 1)
	if r := d.acme.why(first, "NO_WORKER", "RUN_LOST"); r["at"] == nil {
		t.Errorf("since when is not reported: %v", r)
	}
	d.redis.Close()
	d.acme.why(first, "QUEUE_AWAY")
	d.globex.look("/api/v1/events/"+first+"/explain").refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestExplainTask_NothingRuns_NamesTheFirstWaitingRow tests the API and the page.
func TestExplainTask_NothingRuns_NamesTheFirstWaitingRow(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	const sentence = "Waiting: the program that processes " + patients + " is not running."
	explained := func() map[string]any {
		r := d.acme.look("/api/v1/tasks/" + d.task + "/explain")
		r.is(http.StatusOK)
		return r.object()
	}
	reason := explained()["reasons"].([]any)[0].(map[string]any)
	if got := explained(); got["event_id"] != d.task+".1" || reason["code"] != "NO_WORKER" || got["queued"] != 3.0 {
		t.Errorf("the task is explained by %v", got)
	}
	if page := d.acme.look("/tasks/" + d.task); !strings.Contains(page.body, sentence) {
		t.Error("the page gives no reason:", page.body)
	}
	d.tenant = "acme"
	d.move(d.task, events.Working, nil, 1)
	if page := d.acme.look("/tasks/" + d.task); strings.Contains(page.body, sentence) {
		t.Error("a row runs, and the page says that none does")
	}
	late := d.acme.imported("No,tel\nX,+14155550177\n")
	if got := d.acme.look("/api/v1/tasks/" + late + "/explain").object(); got["event_id"] != nil ||
		got["reasons"].([]any)[0].(map[string]any)["code"] != "FILE_UNREAD" {
		t.Errorf("an unread file is explained by %v", got)
	}
	d.globex.look("/api/v1/tasks/"+d.task+"/explain").refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestWhyARowRuns: the node is named only to callers who may see nodes.
func TestWhyARowRuns(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.busy(3)
	_, secret := d.member("acme", access.Viewer)
	if r := d.acme.why(d.task+".3", "FETCHED"); !strings.HasPrefix(r["node"].(string), "n1:") {
		t.Errorf("an operator is told %v", r)
	}
	if r := d.as(secret).why(d.task+".3", "FETCHED"); r["node"] != nil {
		t.Errorf("a viewer is told %v", r)
	}
	if r := d.acme.why(d.task+".2", "BEHIND_ROW"); r["behind"] != d.task+".1" {
		t.Errorf("the row behind one that runs: %v", r)
	}
	d.tenant = "acme"
	d.move(d.task, events.Working, nil, 3)
	if r := d.acme.why(d.task+".3", "RUNNING"); r["at"] == nil || r["node"] == nil {
		t.Errorf("since when, or where, is not reported: %v", r)
	}
}

// TestWhyARowHasEnded tests the reasons of rows that have ended.
func TestWhyARowHasEnded(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	d.tenant = "acme"
	_, err := d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/B")
	fine(t, err)
	d.move(d.task, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "System error"}, 3)
	r := d.acme.why(d.task+".3", "GIVEN_UP", "IN_MORGUE")
	if r["hint"] != nil {
		t.Errorf("a second advice beside that of GIVEN_UP: %v", r)
	}
	tells(t, d.acme.in(t).page("/ops/rows/"+d.task+".3"), "Fix the cause, then run the row again.", "The job of the row is dead")
	d.move(d.task, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "No such brand", Hint: "Ask Ann"}, 1)
	r = d.acme.why(d.task+".1", "FAILED")
	if !strings.Contains(r["detail"].(string), "BRAND_UNKNOWN. No such brand") || r["hint"] != "Ask Ann" || r["at"] == nil {
		t.Errorf("why it failed: %v", r)
	}
	d.acme.postTo("/api/v1/tasks/"+d.task+"/skip", `{"ids":["`+d.task+`.1"]}`).is(http.StatusOK)
	fine(t, d.db.Write.Exec("UPDATE rollcall.events SET code = 'DUPLICATE_KEY' WHERE status = 'failed'").Error)
	d.acme.why(d.task+".1", "DUPLICATE", "SKIPPED")
	d.move(d.task, events.Finish, nil, 2)
	d.acme.why(d.task+".2", "FINISHED")
	fine(t, d.db.Write.Exec("UPDATE rollcall.events SET code = 'SUPERSEDED' WHERE status = 'finish'").Error)
	d.acme.why(d.task+".2", "SUPERSEDED")
	fine(t, d.db.Write.Exec("UPDATE rollcall.events SET status = 'canceled' WHERE status = 'finish'").Error)
	d.acme.why(d.task+".2", "CANCELED")
	d.redis.Close()
	d.acme.why(d.task+".3", "GIVEN_UP", "QUEUE_AWAY")
}
