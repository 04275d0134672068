package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

const plansPath = "/api/v1/schedules"

// daily returns a schedule for 9 o'clock in Berlin, whose tasks have the options.
func daily(options string) string {
	return `{"name":"Every day","cron":"0 9 * * *","time_zone":"Europe/Berlin","catch_up":"once","request":` +
		`{"kind":"products.import","options":` + options + `,"rows":[{"SKU":"A","Name":"a","Price":"1","Brand":"Acme"}]}}`
}

// schedule adds a schedule, and returns its id.
func (l *lab) schedule(options string) string {
	l.t.Helper()
	r := l.postTo(plansPath, daily(options))
	r.is(http.StatusCreated)
	return r.object()["id"].(string)
}

// tick starts due runs, in two processes.
func (l *lab) tick() {
	l.t.Helper()
	for _, api := range []*lab{l, l.twin()} {
		s := schedules.NewRunner(l.opt.Schedules, api.api.StartRun, schedules.RunnerOptions{})
		fine(l.t, s.Start(l.t.Context()))
	}
}

// TestAScheduleMakesTasks: each run adds one task, although two processes start due runs.
func TestAScheduleMakesTasks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postTo(plansPath, daily(`{}`))
	r.is(http.StatusCreated)
	path := r.header.Get("Location")
	plan := l.look(path).object()
	if r.header.Get("ETag") != `"1"` || plan["kind"] != "products.import" || plan["type"] != "import" ||
		!strings.HasSuffix(plan["next_run_at"].(string), "T08:00:00.000Z") || plan["last_task_id"] != nil {
		t.Fatalf("made %s", r.body)
	}
	next, err := time.Parse(time.RFC3339, plan["next_run_at"].(string))
	fine(t, err)
	l.pass(next.Sub(l.clock()) - 1)
	l.tick()
	l.has(0)
	l.pass(time.Millisecond)
	l.tick()
	l.tick()
	list, _ := l.look("/api/v1/tasks").items()
	if len(list) != 1 || list[0]["schedule_id"] != plan["id"] || list[0]["name"] != "Every day" ||
		list[0]["planned_at"] != plan["next_run_at"] {
		t.Fatalf("tasks %v", list)
	}
	plan = l.look(path).object()
	if plan["last_task_id"] != list[0]["id"] || plan["problem"] != nil {
		t.Errorf("afterwards %v", plan)
	}
	l.split()
	if l.task(list[0]["id"].(string)).Total != 1 {
		t.Error("its row was not read")
	}

	run := l.call(http.MethodPost, path+"/run", "", "Idempotency-Key", "now")
	run.is(http.StatusAccepted)
	again := l.call(http.MethodPost, path+"/run", "", "Idempotency-Key", "now")
	if again.object()["id"] != run.object()["id"] || run.object()["planned_at"] != nil {
		t.Errorf("by hand %s, again %s", run.body, again.body)
	}
	l.has(2)
	l.call(http.MethodDelete, path, "", "If-Match", `"7"`).refuses(http.StatusPreconditionFailed, "SCHEDULE_CHANGED")
	l.call(http.MethodDelete, path, "").is(http.StatusNoContent)
	l.look(path).refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestAScheduledExport: the export has the name and the ID of its schedule.
func TestAScheduledExport(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postTo(plansPath, `{"name":"Sales","cron":"@daily","catch_up":"once","request":`+
		`{"kind":"promos.export","type":"export","format":"xlsx","params":{"Brand":"Acme"},"options":{"labels":{"for":"shops"}}}}`)
	r.is(http.StatusCreated)
	if plan := r.object(); plan["type"] != "export" || plan["kind"] != "promos.export" {
		t.Errorf("made %s", r.body)
	}
	l.pass(24 * time.Hour)
	l.tick()
	list, _ := l.look("/api/v1/tasks").items()
	if len(list) != 1 || list[0]["type"] != "export" || list[0]["name"] != "Sales" || list[0]["schedule_id"] != r.object()["id"] {
		t.Errorf("tasks %v", list)
	}
}

// TestSchedulesThatCannotBe: invalid schedules are refused before anything is stored.
func TestSchedulesThatCannotBe(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	good := daily(`{}`)
	for _, tt := range []struct{ name, old, text, pointer, code string }{
		{"no name", `"Every day"`, `""`, "/name", "INVALID_FIELD"},
		{"no such time", `0 9 * * *`, `61 9 * * *`, "/cron", "INVALID_FIELD"},
		{"a time that never comes", `0 9 * * *`, `0 9 30 2 *`, "/cron", "INVALID_FIELD"},
		{"no time", `0 9 * * *`, ``, "/cron", "INVALID_FIELD"},
		{"no such zone", `Europe/Berlin`, `Europe/Atlantis`, "/time_zone", "INVALID_FIELD"},
		{"no such policy", `"once"`, `"never"`, "/catch_up", "INVALID_FIELD"},
		{"no request", `"request":`, `"request":null,"reques":`, "/reques", "INVALID_FIELD"},
		{"no such kind", `products.import`, `nothing`, "/request/kind", "UNKNOWN_KIND"},
		{"no such option", `"options":{}`, `"options":{"mode":"x"}`, "/request/options/mode", "INVALID_OPTIONS"},
		{"no rows", `"rows":[{`, `"rows":[],"labels":[{`, "/request", "INVALID_FIELD"},
		{"an open task", `"options"`, `"open":true,"options"`, "/request/rows", "INVALID_FIELD"},
		{"a parent", `"options"`, `"parent_id":"x","options"`, "/request/parent_id", "INVALID_FIELD"},
		{
			"a format there is not", `{"kind":"products.import","options":{},"rows":[{"SKU":"A","Name":"a","Price":"1","Brand":"Acme"}]}`,
			`{"kind":"promos.export","type":"export","format":"pdf"}`, "/request/format", "INVALID_FIELD",
		},
		{"a nested value", `"A"`, `{"B":1}`, "/request/rows/0/SKU", "NESTED_VALUE"},
	} {
		r := l.postTo(plansPath, strings.Replace(good, tt.old, tt.text, 1))
		r.refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", `"pointer":"`+tt.pointer, `"code":"`+tt.code)
	}
	l.nothingLeft()
	if list, _ := l.look(plansPath).items(); len(list) != 0 {
		t.Errorf("there are %v", list)
	}
	for range tasks.MaxSchedules {
		fine(t, l.opt.Schedules.Add(t.Context(), &schedules.Schedule{
			Tenant: "default", Name: "n", Cron: "@daily", TimeZone: "UTC", CatchUp: "skip", Request: `{"kind":"k"}`,
		}))
	}
	l.postTo(plansPath, good).refuses(http.StatusConflict, "TOO_MANY_SCHEDULES", "raise the limit")
	if got := l.through(plansPath+"?limit=40", "id", func() {}); len(got) != tasks.MaxSchedules {
		t.Errorf("pages show %d", len(got))
	}
}

// TestOpsSchedules_MoreThanOnePage_AreAllReached: a limit of the tenant may allow more schedules than
// tasks.MaxSchedules.
func TestOpsSchedules_MoreThanOnePage_AreAllReached(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const n = tasks.MaxSchedules + 1
	fine(t, l.opt.Tasks.SetCaps(t.Context(), "default", tasks.Limits{Schedules: n}))
	for range n {
		fine(t, l.opt.Schedules.Add(t.Context(), &schedules.Schedule{
			Tenant: "default", Name: "n", Cron: "@daily", TimeZone: "UTC", CatchUp: "skip", Request: `{"kind":"k"}`,
		}))
	}
	next, shown := regexp.MustCompile(`rel="next" href="([^"]+)"`), 0
	for path := "/ops/schedules"; path != ""; {
		page := l.page(path)
		shown, path = shown+strings.Count(page, `/run">`), ""
		if more := next.FindStringSubmatch(page); more != nil {
			path = more[1]
		}
	}
	if shown != n {
		t.Errorf("the pages show %d schedules, want %d", shown, n)
	}
}

// TestAScheduleIsChanged: a change needs the version that the caller has read.
func TestAScheduleIsChanged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	path := plansPath + "/" + l.schedule(`{}`)
	patch := func(tag, body string) reply {
		return l.call(http.MethodPatch, path, body, "Content-Type", jsonType, "If-Match", tag)
	}
	patch("", `{"name":"x"}`).refuses(http.StatusPreconditionRequired, "IF_MATCH_REQUIRED")
	patch(`"1"`, `{"cron":"x"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "/cron")
	r := patch(`"7","1"`, `{"cron":"@hourly","name":"Often"}`)
	if r.is(http.StatusOK); r.object()["name"] != "Often" || r.object()["time_zone"] != "Europe/Berlin" {
		t.Errorf("changed to %s", r.body)
	}
	patch(`"1"`, `{"name":"x"}`).refuses(http.StatusPreconditionFailed, "SCHEDULE_CHANGED", `"version":2`)

	for range 2 {
		if r := l.postTo(path+"/pause", ""); r.object()["next_run_at"] != nil || r.header.Get("ETag") != `"3"` {
			t.Errorf("paused: %s", r.body)
		}
	}
	l.pass(48 * time.Hour)
	l.tick()
	l.has(0)
	if r := l.postTo(path+"/resume", ""); r.object()["paused"] != false {
		t.Errorf("resumed: %s", r.body)
	}
	l.tick()
	l.has(0) // the runs during the pause are not made up for
	l.call(http.MethodDelete, path, "").is(http.StatusNoContent)
	l.audited("delete-schedule", "resume-schedule", "pause-schedule", "change-schedule", "create-schedule")
}

// TestAScheduleThatCannotStart: the schedule and the response to a run on request name the reason.
func TestAScheduleThatCannotStart(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	path := plansPath + "/" + l.schedule(`{"dedup":"reject"}`)
	l.postTo(path+"/run", "").is(http.StatusAccepted)
	l.postTo(path+"/run", "").refuses(http.StatusConflict, "DUPLICATE_FILE")
	alike := plansPath + "/" + l.schedule(`{"dedup":"reuse"}`)
	l.postTo(alike+"/run", "").is(http.StatusOK)
	l.pass(24 * time.Hour)
	for _, quota := range []struct{ column, code string }{
		{"tasks", "TASK_QUOTA"}, {"jobs", "ROW_QUOTA"},
	} {
		fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{}))
		fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET enqueue = 2, total = 2").Error)
		fine(t, l.db.Write.Exec(fmt.Sprintf("UPDATE rollcall.limits SET %s = 1", quota.column)).Error)
		l.postTo(path+"/run", "").refuses(http.StatusTooManyRequests, quota.code)
	}
	l.tick()
	plan := l.look(path).object()
	problem, _ := plan["problem"].(map[string]any)
	if problem["code"] != "ROW_QUOTA" || problem["tries"] != 1.0 || problem["retry_at"] == nil {
		t.Errorf("the schedule says %v", plan)
	}
	l.has(1)
	if files := l.files(); files != 0 {
		t.Errorf("%d files are there: the one task has none", files)
	}
	fine(t, l.db.Write.Exec("UPDATE rollcall.limits SET jobs = 0").Error)
	l.pass(time.Minute)
	l.tick()
	if plan = l.look(path).object(); plan["problem"] != nil {
		t.Errorf("with room again it says %v", plan)
	}
	l.has(2)
	fine(t, l.db.Write.Exec("UPDATE rollcall.schedules SET request = '{\"kind\":\"gone\"}'").Error)
	l.postTo(path+"/run", "").refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "/request/kind", "UNKNOWN_KIND")
}

// TestSchedule_RowsNeedAFile_AreBoundByStorage: many rows are stored as a file, which counts in the quota.
func TestSchedule_RowsNeedAFile_AreBoundByStorage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	row := `{"SKU":"A","Name":"a","Price":"1","Brand":"Acme"}`
	many := strings.Replace(daily(`{}`), row, row+strings.Repeat(","+row, 300), 1)
	r := l.postTo(plansPath, many)
	r.is(http.StatusCreated)
	fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Bytes: 60}))
	l.postTo(plansPath+"/"+r.object()["id"].(string)+"/run", "").refuses(http.StatusTooManyRequests, "STORAGE_QUOTA")
	l.has(0)
}
