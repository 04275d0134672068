package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/web/request"
)

// actLab is a lab whose programs run acts on rows as tasks.
type actLab struct {
	*lab
	kind jobs.Kind
}

func newActLab(t *testing.T, url string) actLab {
	runner := &rowacts.Runner{Wake: func(context.Context) {}}
	kind := runner.Kind()
	l := newLabOn(t, url, func(o *web.Options) { o.Kinds, o.CancelGrace = o.Kinds.With(kind), time.Millisecond })
	runner.Tasks, runner.Kinds = l.opt.Tasks, l.opt.Kinds
	runner.Reviewer = review.New(l.opt.Events, l.opt.Kinds, review.Options{Now: l.clock})
	runner.Canceler = reconcile.NewRowCanceler(l.opt.Tasks, l.opt.Events, l.opt.Queue, reconcile.CancelerOptions{Grace: time.Millisecond, Now: l.clock})
	return actLab{l, kind}
}

// runs runs each row of a started act twice, and returns the ID of the act's task.
func (a actLab) runs(l *lab, started reply) string {
	l.t.Helper()
	started.is(http.StatusAccepted)
	id := started.object()["id"].(string)
	rows, err := l.opt.Events.List(l.t.Context(), l.task(id).Num, events.Filter{Limit: 1000})
	fine(l.t, err)
	for _, e := range rows {
		run := func() error {
			return a.kind.Run(l.t.Context(), &jobs.Call{ID: e.ID.JobID(id), Tenant: l.tenant, Params: json.RawMessage(e.Params)})
		}
		err := run()
		if again := run(); (again == nil) != (err == nil) {
			l.t.Errorf("row %d ran again: %v, before: %v", e.Row, again, err)
		}
		var f *jobs.Failure
		if errors.As(err, &f) {
			l.move(id, events.Failed, &f.Failure, e.ID.Seq())
			continue
		}
		fine(l.t, err)
		l.move(id, events.Finish, nil, e.ID.Seq())
	}
	return id
}

// TestActAsTask_Skip_ReachesTheRowsOfAllTasks: the act skips the rows of the tenant that had failed before the
// request, and no others.
func TestActAsTask_Skip_ReachesTheRowsOfAllTasks(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		a := newActLab(t, url)
		_, secret := a.member("acme", access.Reviewer)
		acme := a.as(secret)
		acme.tenant = "acme"
		_, secret = a.member("globex", access.Reviewer)
		globex := a.as(secret)
		const bad = heads + "S1,,1,Acme\nS2,c,-3,Acme\nS3,d,1,Acme\n"
		first, last, other := acme.accepted("p.csv", bad, ""), acme.accepted("p.csv", bad, ""), globex.accepted("p.csv", bad, "")
		good := acme.accepted("good.csv", rows(2), "")
		a.split()
		a.pass(time.Second)
		started := acme.postTo("/api/v1/rows/skip", `{"as_task":true,"filter":{},"note":"not sold"}`)
		started.says("name", "Leave out rows of all imports", "kind", rowacts.Name, "counts.enqueue", 2, "counts.total", 2)
		if started.header.Get("Location") != "/api/v1/tasks/"+started.object()["id"].(string) {
			t.Errorf("Location: %q", started.header.Get("Location"))
		}
		a.pass(time.Second)
		acme.move(last, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "no such brand"}, 3)

		id := a.runs(acme, started)
		acme.look("/api/v1/tasks/"+id).says("done", true, "outcome", "success", "counts.finish", 2)
		acme.look("/api/v1/tasks/"+first).says("counts.skipped", 2, "counts.failed", 2)
		acme.look("/api/v1/tasks/"+last).says("counts.skipped", 2, "counts.failed", 3)
		acme.look("/api/v1/events/"+last+".3").says("status", "failed", "resolution.state", "open")
		acme.look("/api/v1/events/"+first+".1").says("resolution.note", "not sold")
		globex.look("/api/v1/tasks/"+other).says("counts.skipped", 0, "counts.failed", 2)
		for _, id := range []string{id, first, last, good} {
			acme.agrees(id)
		}
		globex.look("/api/v1/tasks/" + id).is(http.StatusNotFound)
		page := acme.call(http.MethodGet, "/tasks/"+id, "", "Accept", htmlType).body
		tells(t, page, "Leave out rows of all imports", "Done: 2 rows have finished.", "About this task", "Change to rows of many imports", "Requested")
		if strings.Contains(page, "imported") {
			t.Errorf("nothing was imported: %s", page)
		}

		_, secret = a.member("acme", access.Admin)
		list := a.as(secret).page("/ops/tasks")
		if want := `<option value="` + rowacts.Name + `">Change to rows of many imports</option>`; !strings.Contains(list, want) {
			t.Errorf("the filter by kind lacks %s", want)
		}

		none := a.runs(acme, acme.postTo("/api/v1/rows/resubmit", `{"as_task":true,"filter":{"code":"NO_SUCH"},"kind":"other"}`))
		acme.look("/api/v1/tasks/"+none).says("done", true, "counts.total", 0)
	})
}

// TestActAsTask_Resubmit_RunsEachRowOnce: each row of the act runs twice here, as after the death
// of a process, but resubmits its rows once.
func TestActAsTask_Resubmit_RunsEachRowOnce(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		a := newActLab(t, url)
		const bad = heads + "S1,c,-1,Acme\nS2,c,-3,Acme\nS3,d,1,Acme\n"
		first, closed := a.accepted("p.csv", bad, ""), a.accepted("p.csv", bad, "")
		gone := a.accepted("p.csv", heads+"S1,c,-1,Acme\n", "")
		a.split()
		a.pass(time.Second)
		started := a.postTo("/api/v1/rows/resubmit",
			`{"as_task":true,"kind":"products.import","filter":{"column":"Price"},"patch":{"set":{"Price":"7"}}}`)
		a.call(http.MethodDelete, "/api/v1/tasks/"+gone, "").is(http.StatusNoContent)
		a.postTo("/api/v1/tasks/"+closed+"/cancel", "").is(http.StatusOK)
		id := a.runs(a.lab, started)
		a.look("/api/v1/tasks/"+first).says("counts.failed", 0, "counts.enqueue", 3)
		a.look("/api/v1/events/"+first+".2").says("params.Price", "7")
		a.look("/api/v1/tasks/"+id).says("counts.finish", 1, "counts.failed", 2, "outcome", "partial")
		list, _ := a.look("/api/v1/tasks/" + id + "/errors").items()
		codes := map[any]int{}
		for _, row := range list {
			codes[row["code"]]++
		}
		if codes["TASK_CLOSED"] != 1 || codes["TASK_GONE"] != 1 {
			t.Errorf("failed rows: %v", codes)
		}
		a.agrees(first)
	})
}

// TestActAsTask_Cancel_ReachesTheWaitingRowsOfAllTasks cancels rows by key in two tasks.
func TestActAsTask_Cancel_ReachesTheWaitingRowsOfAllTasks(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		a := newActLab(t, url)
		first, last := a.accepted("p.csv", rows(3), ""), a.accepted("p.csv", rows(3), "")
		a.split()
		id := a.runs(a.lab, a.postTo("/api/v1/rows/cancel", `{"as_task":true,"filter":{"key":"S1"}}`))
		for _, id := range []string{first, last} {
			a.look("/api/v1/tasks/"+id).says("counts.canceled", 1, "counts.enqueue", 2)
			a.agrees(id)
		}
		a.look("/api/v1/tasks/"+id).says("done", true, "outcome", "success")
		// An act on all rows omits the tasks of acts.
		a.postTo("/api/v1/rows/cancel", `{"as_task":true,"filter":{}}`).says("counts.total", 2)
		a.postTo("/api/v1/rows/cancel", `{"filter":{},"dry_run":true}`).says("tasks", 2)
	})
}

// TestActAsTask_Callers_CannotMakeOne: callers cannot create the task of an act, because its rows
// decide what is done, and in whose name.
func TestActAsTask_Callers_CannotMakeOne(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		a := newActLab(t, url)
		task := a.accepted("p.csv", heads+"S1,,1,Acme\n", "")
		a.split()
		a.pass(time.Second)
		started := a.postTo("/api/v1/rows/skip", `{"as_task":true,"filter":{},"note":"hidden note"}`)
		id := started.object()["id"].(string)
		a.move(id, events.Failed, &events.Failure{Code: "TASK_GONE", Message: "gone"}, 1)
		row := "/api/v1/events/" + id + ".1"
		shown := a.look(row)
		shown.says("status", "failed", "params", map[string]any{})
		for _, path := range []string{
			"/api/v1/tasks/" + id + "/events", "/api/v1/tasks/" + id + "/result?format=csv", "/api/v1/tasks/" + id + "/result?format=jsonl",
			"/tasks/" + id, "/tasks/" + id + "/rows/1", "/tasks/" + id + "/repair", "/ops/jobs/" + id + ".1",
		} {
			if r := a.call(http.MethodGet, path, "", "Accept", "*/*"); strings.Contains(r.body, "hidden note") || r.status >= 500 {
				t.Errorf("%s: %d %s", path, r.status, r.body)
			}
		}
		edit := a.patch(id+".1", shown.header.Get("ETag"), `{"params":{"task":"`+task+`"}}`)
		if edit.status < 400 || edit.status > 499 {
			t.Errorf("an edit of its row: %d %s", edit.status, edit.body)
		}
		if again := a.postTo("/api/v1/tasks/"+id+"/resubmit", `{"filter":{}}`); again.status < 400 || again.status > 499 {
			t.Errorf("a resubmission: %d %s", again.status, again.body)
		}
		a.postTo("/api/v1/tasks", `{"kind":"`+rowacts.Name+`","rows":[{"task":"`+task+`"}]}`).refuses(422, "KIND_WITHOUT_ROWS")
		a.look("/api/v1/kinds/" + rowacts.Name).is(http.StatusNotFound)
		if kinds := a.look("/api/v1/kinds").body; strings.Contains(kinds, rowacts.Name) {
			t.Errorf("the kinds list it: %s", kinds)
		}
		for _, body := range []string{`{"as_task":true,"dry_run":true,"filter":{}}`} {
			a.postTo("/api/v1/rows/skip", body).refuses(422, "INVALID_FIELD", "/as_task")
			a.postTo("/api/v1/rows/cancel", body).refuses(422, "INVALID_FIELD", "/as_task")
		}
		a.postTo("/api/v1/rows/skip?cursor="+request.Cursor(5), `{"as_task":true,"filter":{}}`).refuses(422, "INVALID_FIELD", "/as_task")
		a.postTo("/api/v1/tasks/"+task+"/skip", `{"as_task":true,"filter":{}}`).refuses(422, "INVALID_FIELD", "as_task")
	})
}

// TestActAsTask_TenantAtAQuota_IsRefused: the task of the act counts like any other.
func TestActAsTask_TenantAtAQuota_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.accepted("a.csv", rows(3), "")
	l.split()
	for code, limits := range map[string]tasks.Limits{"TASK_QUOTA": {Tasks: 1}, "ROW_QUOTA": {Rows: 1}, "STORAGE_QUOTA": {Bytes: 1}} {
		fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", limits))
		for _, act := range []string{"skip", "resubmit", "cancel"} {
			l.postTo("/api/v1/rows/"+act, `{"as_task":true,"filter":{}}`).refuses(http.StatusTooManyRequests, code)
		}
	}
	l.has(1)
}
