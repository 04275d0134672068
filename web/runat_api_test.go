package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestRunAt_OfATask_ReadsAtOnceAndFeedsAtItsTime tests a file in a form, and rows in JSON.
func TestRunAt_OfATask_ReadsAtOnceAndFeedsAtItsTime(t *testing.T) {
	t.Parallel()
	const options = `{"run_at":"2026-03-04T08:06:08+01:00"}`
	for name, send := range map[string]func(*lab) string{
		"file": func(l *lab) string { return l.accepted("p.csv", rows(2), options) },
		"rows": func(l *lab) string {
			r := l.postJSON("/tasks", `{"kind":"products.import","options":`+options+`,"rows":[`+jsonRow+`]}`)
			r.is(http.StatusAccepted)
			return r.object()["id"].(string)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			id := send(l)
			l.split()
			l.feed()
			o := l.look("/api/v1/tasks/" + id).object()
			if o["run_at"] != "2026-03-04T07:06:08.000Z" || o["counts"].(map[string]any)["total_is_final"] != true {
				t.Errorf("the task is %v", o)
			}
			l.startsLater(id)
			l.pass(2*time.Hour + time.Second)
			l.feed()
			l.why(id+".1", "NO_WORKER", "DUE")
		})
	}
}

// startsLater checks what explain and the page show for a task that starts at 07:06:08.
func (l *lab) startsLater(id string) {
	l.t.Helper()
	l.why(id+".1", "TASK_NOT_YET", "NO_WORKER")
	first := l.look("/api/v1/tasks/" + id + "/explain").object()["reasons"].([]any)[0].(map[string]any)
	if first["detail"] != "The task starts at 4 Mar 2026, 07:06 UTC." || first["at"] != "2026-03-04T07:06:08.000Z" {
		l.t.Errorf("the task is explained by %v", first)
	}
	page := string(l.look("/tasks/" + id).body)
	if !strings.Contains(page, `<b>Starts <time datetime="2026-03-04T07:06:08.000Z"`) {
		l.t.Error("the page does not show when the task starts:", page)
	}
}

// TestRunAt_InThePast_StartsAtOnce: the task has no start time.
func TestRunAt_InThePast_StartsAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(1), `{"run_at":"2026-03-04T06:06:07+01:00"}`)
	l.split()
	l.feed()
	l.why(id+".1", "NO_WORKER", "DUE")
	if at := l.look("/api/v1/tasks/" + id).object()["run_at"]; at != nil {
		t.Errorf("the task starts at %v", at)
	}
}

// TestRunAt_NoTime_IsRejected: a wrong time is rejected. In the request of a schedule, each time is rejected.
func TestRunAt_NoTime_IsRejected(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, bad := range []string{`"tomorrow"`, `"2026-03-04"`, `"2026-03-04T08:00:00"`, `"2201-01-01T00:00:00Z"`, `5`} {
		r := l.upload("p.csv", rows(1), `{"run_at": `+bad+`}`)
		r.refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "run_at")
	}
	r := l.postJSON("/schedules", `{"name":"Nightly","cron":"30 9 * * *","request":{"kind":"products.import",
		"options":{"run_at":"2026-03-05T08:00:00Z"},"rows":[`+jsonRow+`]}}`)
	r.refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "run_at")
}
